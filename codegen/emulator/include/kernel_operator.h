// Functional model of the Ascend C vector-core API: kernels compile unchanged against this header.
#pragma once

#include "api/cast.h"
#include "api/compare.h"
#include "api/copy.h"
#include "api/elementwise.h"
#include "api/fill.h"
#include "api/half.h"
#include "api/params.h"
#include "api/pipe.h"
#include "api/reduce.h"
#include "api/sync.h"
#include "api/system.h"
#include "api/tensor.h"
#include "api/types.h"
#include "emu/launch.h"
