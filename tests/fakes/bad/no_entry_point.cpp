// Is a shared object, but no plugin.
extern "C" __attribute__((visibility("default"))) int something_else();
int something_else() { return 0; }
