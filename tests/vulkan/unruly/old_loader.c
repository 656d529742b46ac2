/* libvulkan.so.1 as it was in Vulkan 1.0: without vkEnumerateInstanceVersion. */
#include <string.h>

typedef void (*function)(void);

static void create_instance(void) {}

function vkGetInstanceProcAddr(void* instance, const char* name);
function vkGetInstanceProcAddr(void* instance, const char* name) {
  (void)instance;
  return strcmp(name, "vkCreateInstance") == 0 ? create_instance : 0;
}
