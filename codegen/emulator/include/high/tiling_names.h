// The names of tiling structures alone, and in AscendC. Only kernels that include a header of the high-level library,
// or of its tiling, see them: the others may have structures of their own with such names.
#pragma once

#include "high/tilings.h"

using namespace optiling;
namespace AscendC {
using namespace tiling;
}
