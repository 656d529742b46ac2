// expected: [parameters] found fc3, expected one of fc1.weight fc1.bias fc2.weight fc2.bias
#include "../mlp.h"

void f() { define<Mlp>().freeze("fc3"_p); }
