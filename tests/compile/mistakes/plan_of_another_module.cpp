// expected: [shapes] 2 fc2.weight: found (10), expected (10, 128)
#include "../mlp.h"

using Other = Shapes<Shape{128, 64}, Shape{128}, Shape{10}, Shape{10, 128}>;
void f(const Plan<Other>& other) { Plan<ParamsOf<Mlp>> plan = other; }
