#include "vendor_names.h"

int vendor_helper() { return APART_VALUE; }
