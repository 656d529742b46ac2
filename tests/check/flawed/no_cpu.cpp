// Brings kernels only, and lets the process open no file: that of this Tenon's cpu neither, whose device they want.
#include <sys/resource.h>

#include "sound.h"

FLAWED_PLUGIN(sound::plugin.devices = nullptr;
              sound::plugin.initialize = [](const tenon_attr* options, std::uint32_t count, void** self) {
                const rlimit none{0, 0};
                ::setrlimit(RLIMIT_NOFILE, &none);
                return sound::initialize(options, count, self);
              })
