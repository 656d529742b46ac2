// What a program may well call a function of its own, and export: a plugin has one of this name.
#include <cstdlib>

__attribute__((visibility("default"))) int vendor_helper();

int vendor_helper() { std::abort(); }
