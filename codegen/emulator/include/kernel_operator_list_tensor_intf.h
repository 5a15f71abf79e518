// Lists of tensors stand in the main header.
#pragma once

#include "kernel_operator.h"
