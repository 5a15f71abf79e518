// A whole-tensor operator on its way from the operands to the tensor that it is assigned to.
#pragma once

#include <functional>

#include "emu/site.h"

namespace emu {

/// The operands of an operator: `run(dst, site)` makes the call.
template <typename Run>
struct TensorExpression {
    Run run;
};

template <typename Run>
TensorExpression(Run) -> TensorExpression<Run>;

/// An expression at the place where it is assigned. The conversion from the expression knows the caller's line, which an
/// operator does not.
template <typename Tensor>
class TensorCall {
public:
    template <typename Run>
    TensorCall(const TensorExpression<Run>& expression, Site site = Site::here())
        : run_(expression.run), site_(site) {}

    void operator()(const Tensor& dst) const { run_(dst, site_); }

private:
    std::function<void(const Tensor&, Site)> run_;
    Site site_;
};

}  // namespace emu
