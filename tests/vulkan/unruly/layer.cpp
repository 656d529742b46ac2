// The layer's entry points, and a wrapper for each function that the plugin calls: the list is the plugin's own.
#include <array>

#include "hooks.h"

// After the former, which declares no prototypes.
#include <vulkan/vk_layer.h>

namespace tenon::unruly {

Ledger& ledger() {
  static Ledger* const ledger = new Ledger;  // drivers' threads may outlive everything else
  return *ledger;
}
Functions down;

namespace {

thread_local int calls_of_this_thread = 0;

template <class Handle>
std::uint64_t number(Handle handle) {
  return (std::uint64_t)(handle);  // NOLINT: a pointer or a number, as Vulkan has it
}

constexpr bool may_lose(std::string_view name) {
  return name == "QueueSubmit" || name == "WaitSemaphores" || name == "GetSemaphoreCounterValue" ||
         name == "GetQueryPoolResults" || name == "CreateSemaphore";
}

/// "Buffer" of CreateBuffer and DestroyBuffer; nothing where a function does neither.
constexpr std::string_view made_by(std::string_view name) {
  if (name == "CreateComputePipelines") return "Pipeline";
  if (name == "AllocateMemory") return "Memory";
  if (name == "CreateDevice" || !name.starts_with("Create")) return {};
  return name.substr(6);
}
constexpr std::string_view ended_by(std::string_view name) {
  if (name == "FreeMemory") return "Memory";
  if (name == "DestroyDevice" || name == "DestroyInstance" || !name.starts_with("Destroy")) return {};
  return name.substr(7);
}

/// On a device that is lost no work is under way.
VkDevice opened_last = VK_NULL_HANDLE;
PFN_vkDeviceWaitIdle device_wait_idle = nullptr;
void wait_idle() {
  if (opened_last != VK_NULL_HANDLE) device_wait_idle(opened_last);
}

template <FixedName Name, auto Member, class Function>
struct Wrapper;
template <FixedName Name, auto Member, class Result, class... Args>
struct Wrapper<Name, Member, Result(VKAPI_PTR*)(Args...)> {
  static Result VKAPI_CALL call(Args... args) {
    ++calls_of_this_thread;
    constexpr std::string_view name = Name.view();
    if constexpr (std::is_same_v<Result, VkResult>) {
      if (const long result = ledger().planned(name, may_lose(name))) {
        if (result == VK_ERROR_DEVICE_LOST) wait_idle();
        return static_cast<VkResult>(result);
      }
    }
    const auto arguments = std::tie(args...);
    if constexpr (!ended_by(name).empty())
      ledger().died(number(std::get<0>(arguments)), ended_by(name), number(std::get<1>(arguments)));
    if constexpr (name == "DestroyDevice") {
      ledger().end_of_device(number(std::get<0>(arguments)));
      opened_last = VK_NULL_HANDLE;
    }
    if (ledger().plan([&](const Plan& plan) { return plan.names("drop", name); })) {
      if constexpr (std::is_void_v<Result>) return;
    }
    if constexpr (std::is_same_v<Result, VkResult>) {
      const VkResult result = Hook<Name>::call(down.*Member, args...);
      if constexpr (!made_by(name).empty()) {
        if (result == VK_SUCCESS) {
          ledger().born(number(std::get<0>(arguments)), made_by(name),
                        number(*std::get<sizeof...(Args) - 1>(arguments)));
        }
      }
      return result;
    } else {
      return Hook<Name>::call(down.*Member, args...);
    }
  }
};

struct Entry {
  std::string_view name;
  PFN_vkVoidFunction function;
};

#define TENON_UNRULY_ENTRY(name)                          \
  Entry{"vk" #name, reinterpret_cast<PFN_vkVoidFunction>( \
                        &Wrapper<FixedName("" #name), &Functions::name, decltype(Functions::name)>::call)},

PFN_vkVoidFunction wrapped(std::string_view name) {
  static const std::array entries{TENON_VULKAN_INSTANCE_FUNCTIONS(TENON_UNRULY_ENTRY)
                                      TENON_VULKAN_DEVICE_FUNCTIONS(TENON_UNRULY_ENTRY)};
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.function;
  }
  return nullptr;
}

/// The link of a layer's chain, moved on for the next layer.
template <class Link, class Info>
Link* next_link(const Info* info, VkStructureType type) {
  for (auto* chained = static_cast<const Link*>(info->pNext); chained != nullptr;
       chained = static_cast<const Link*>(chained->pNext)) {
    if (chained->sType == type && chained->function == VK_LAYER_LINK_INFO) return const_cast<Link*>(chained);
  }
  return nullptr;
}

PFN_vkGetInstanceProcAddr next_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr next_device_proc = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name);

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                               VkInstance* instance) {
  auto* link = next_link<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  if (const long result = ledger().planned("CreateInstance", false)) return static_cast<VkResult>(result);
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(next_instance_proc(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
#define TENON_UNRULY_LOAD(name) down.name = reinterpret_cast<PFN_vk##name>(next_instance_proc(*instance, "vk" #name));
  TENON_VULKAN_INSTANCE_FUNCTIONS(TENON_UNRULY_LOAD)
#undef TENON_UNRULY_LOAD
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* link = next_link<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  ++calls_of_this_thread;
  if (const long result = ledger().planned("CreateDevice", true)) return static_cast<VkResult>(result);
  const VkResult result = down.CreateDevice(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
#define TENON_UNRULY_LOAD(name) down.name = reinterpret_cast<PFN_vk##name>(next_device_proc(*device, "vk" #name));
  TENON_VULKAN_DEVICE_FUNCTIONS(TENON_UNRULY_LOAD)
#undef TENON_UNRULY_LOAD
  device_wait_idle = reinterpret_cast<PFN_vkDeviceWaitIdle>(next_device_proc(*device, "vkDeviceWaitIdle"));
  opened_last = *device;
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name) {
  const std::string_view wanted = name;
  if (wanted == "vkGetInstanceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&get_instance_proc);
  if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&get_device_proc);
  if (wanted == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(&create_instance);
  if (wanted == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(&create_device);
  const PFN_vkVoidFunction own = wrapped(wanted);
  return own != nullptr || next_instance_proc == nullptr ? own : next_instance_proc(instance, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name) {
  const std::string_view wanted = name;
  if (wanted == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&get_device_proc);
  const PFN_vkVoidFunction own = wrapped(wanted);
  return own != nullptr ? own : next_device_proc(device, name);
}

}  // namespace
}  // namespace tenon::unruly

using tenon::unruly::ledger;

#define TENON_UNRULY_EXPORT extern "C" __attribute__((visibility("default")))

TENON_UNRULY_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = tenon::unruly::get_instance_proc;
  version->pfnGetDeviceProcAddr = tenon::unruly::get_device_proc;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}

TENON_UNRULY_EXPORT void unruly_plan(const char* words) { ledger().begin(words); }
TENON_UNRULY_EXPORT const char* unruly_faults() { return ledger().faults(); }
TENON_UNRULY_EXPORT int unruly_calls() { return ledger().calls(); }
TENON_UNRULY_EXPORT int unruly_calls_of_this_thread() { return tenon::unruly::calls_of_this_thread; }
TENON_UNRULY_EXPORT const char* unruly_failed() { return ledger().failed(); }
TENON_UNRULY_EXPORT unsigned long long unruly_bytes_of_type(unsigned type) {
  return tenon::unruly::bytes_of_type(type);
}
