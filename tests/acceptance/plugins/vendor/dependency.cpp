// Makes the vendor's example need libvendor_dep.so.9.
#include <cstdint>

extern "C" std::int32_t vendor_dependency();

namespace {

[[maybe_unused]] const std::int32_t needed = vendor_dependency();

}  // namespace
