// K1, silent fall-back: with the CPU's plugin alone, nothing but the CPU computes, and only where that was asked for.
#include "scenario.h"

namespace tenon::test {
namespace {

class K1 : public Scenario {};

TEST_F(K1, TheCpuRunsTheModel) { expect_success("cpu"); }

}  // namespace
}  // namespace tenon::test
