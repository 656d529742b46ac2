// The library that missing_dependency needs.
#include <cstdint>

extern "C" __attribute__((visibility("default"))) std::int32_t vendor_dependency();
std::int32_t vendor_dependency() { return 0; }
