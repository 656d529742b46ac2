// tenon.h: everything that a program with typed modules needs.
#pragma once
#include "tenon/csv.h"
#include "tenon/dropout.h"
#include "tenon/layers.h"
#include "tenon/module_file.h"
#include "tenon/normalisation.h"
#include "tenon/shuffle.h"
#include "tenon/typed_ops.h"
#include "tenon/with_runtime.h"
