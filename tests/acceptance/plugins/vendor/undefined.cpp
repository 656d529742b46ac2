// Makes the vendor's example call a function that nobody defines.
extern "C" int function_that_nobody_defines();

namespace {

[[maybe_unused]] const int found = function_that_nobody_defines();

}  // namespace
