// dispatch.h: the one thing of libdispatch that Metal takes: bytes as an object.
#pragma once
#include <Foundation/Foundation.h>

@protocol OS_dispatch_data <NSObject>
@end
typedef NSObject<OS_dispatch_data>* dispatch_data_t;

// The block that would give the bytes back: a null one stands for "copies them".
#define DISPATCH_DATA_DESTRUCTOR_DEFAULT nullptr
extern "C" NS_RETURNS_RETAINED dispatch_data_t dispatch_data_create(const void* bytes, size_t size, void* queue,
                                                                    void* destructor);
