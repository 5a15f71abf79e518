// Output for debugging stands in the main header.
#pragma once

#include "kernel_operator.h"
