// Copies between a view and memory in which its elements follow one another.
#pragma once

#include "tensor.h"

namespace opwright {

/// Collects the elements of a view.
void gather(uint8_t *dense, const View &view);

/// Puts elements to the places of a view.
void scatter(const View &view, const uint8_t *dense);

}  // namespace opwright
