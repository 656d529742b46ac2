// Compiled to a code object that tests look at.
extern "C" __global__ void empty() {}
