#include "places.h"

namespace opwright {

namespace {

/// The position of an element in its tensor.
Shape positionOf(int64_t element, const Shape &shape) {
    Shape position(shape.size());
    for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim]) position[dim] = element % shape[dim];
    return position;
}

}  // namespace

std::string faultOfPlaces(const Places &places, const Argument &argument, const uint8_t *elements) {
    const View &view = argument.view;
    const size_t width = aclDataTypeSize(view.dtype);
    const int64_t count = elementCount(view.shape);
    int64_t wrong = 0, first = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t value = integerAt(elements, static_cast<size_t>(i), width);
        if (value < places.below && (value >= 0 || places.unused)) continue;
        if (wrong++ == 0) first = i;
    }
    if (wrong == 0) return "";
    const std::string legal = places.below > 0 ? "0 to " + std::to_string(places.below - 1) : "none";
    return "element " + shapeText(positionOf(first, view.shape)) + " of '" + argument.parameter->name + "' is " +
           std::to_string(integerAt(elements, static_cast<size_t>(first), width)) + "; legal are " + legal +
           (places.unused ? ", and negative ones for nothing" : "") + " (" + std::to_string(wrong) + " of " +
           std::to_string(count) + " elements are out of range)";
}

}  // namespace opwright
