// plugin.hpp: the C++ layer over plugin.h that plugins are written in. Header-only; needs nothing of Tenon's to link.
//
//   plugin/error.h       guard(): exceptions inside, a status and a text outside; the host table; opaque handles
//   plugin/signature.h   SignatureView, TensorView, Reason: what a kernel is asked for
//   plugin/arguments.h   Arguments: what a launch is given
//   plugin/capsule.h     a class with a constructor and a call operator becomes a capsule
//   plugin/parallel.h    the host's threads
//   plugin/options.h     what the user said to the plugin
//   plugin/table.h       the plugin as a class, its device's slots as members of classes
//   plugin/query.h       the one exported function
//
// Read sdk/example/vendor: a complete plugin, written to be read.
// Ownership and threads: as each header says.
#pragma once
#include "tenon/plugin.h"
#include "tenon/plugin/arguments.h"
#include "tenon/plugin/capsule.h"
#include "tenon/plugin/error.h"
#include "tenon/plugin/options.h"
#include "tenon/plugin/parallel.h"
#include "tenon/plugin/query.h"
#include "tenon/plugin/signature.h"
#include "tenon/plugin/table.h"
