// The name under which kernels include what tiling structures need.
#pragma once

#include "kernel_operator.h"
