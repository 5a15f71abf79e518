// Elements of index tensors, tested before a kernel reads them.
#pragma once

#include <string>

#include "argument.h"

namespace opwright {

/// Says which element of a row-major tensor, or of a list, names no place; an empty text where all do.
std::string faultOfPlaces(const Places &places, const Argument &argument, const uint8_t *elements);

}  // namespace opwright
