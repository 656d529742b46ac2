// control.h: what a test in one process says to the fake Metal, and asks it.
#pragma once

extern "C" {
/// Messages that this thread has sent.
unsigned long gpusim_metal_calls_of_this_thread();
/// The n-th call of the function from now on fails; a commit's command buffer ends with the error of that number.
void gpusim_metal_fail(const char* function, unsigned n, int status);
}
