// The high-level library.
#pragma once

#include "high/activation.h"
#include "high/norm_calls.h"
#include "high/power.h"
#include "high/quantize.h"
#include "high/rearrange.h"
#include "high/reduce.h"
#include "high/softmax_flash.h"
#include "high/topk.h"
#include "high/welford.h"

// What chips without the register level lack is not declared for them: kernels there have functions of these names.
#ifdef EMU_REGISTER_LEVEL
#include "high/logic.h"
#endif
