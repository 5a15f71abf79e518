// The register level: vector functions over 256-byte registers.
#pragma once

#include "reg/arithmetic.h"
#include "reg/call.h"
#include "reg/cast.h"
#include "reg/compare.h"
#include "reg/fused.h"
#include "reg/indexed.h"
#include "reg/load.h"
#include "reg/mask.h"
#include "reg/rearrange.h"
#include "reg/reduce.h"
#include "reg/store.h"
#include "reg/unaligned.h"

#undef EMU_REG_TYPES
#undef EMU_REG_NAMES
#undef EMU_REG_ZEROES
