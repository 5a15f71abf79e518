// The first phase of an operator: what a call gives, checked in the documented order.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "argument.h"
#include "number.h"
#include "refusal.h"

namespace opwright {

/// One call. Null pointers are refused at once. Other faults are collected; the one whose status is the lowest counts,
/// and of several the first. Faults that hide others (a wrong rank hides the sizes) make those unknown, which is no
/// fault of their own.
class Call {
public:
    explicit Call(const Operator &op);

    /// The next parameter in order: an input, a list, or an output.
    void tensor(const aclTensor *given);
    void list(const aclIntArray *given);

    /// Refuses a null place for the executor, and a process that is not initialized.
    void place(aclOpExecutor **executor) const;

    /// Attributes. A null text or list is its default; one without a default is refused.
    void attribute(const char *name, int64_t value);
    void attribute(const char *name, double value);
    void text(const char *name, const char *value, const char *otherwise);

    /// A list of numbers; `otherwise` is the length of its default, negative where it has none.
    void integers(const char *name, const aclIntArray *values, int64_t otherwise);

    /// Checks formats, strides and dtypes.
    void checkTypes();

    /// Collects sizes from the shapes of inputs.
    void bindInputs();

    /// Gives a list that is absent or empty its content.
    void defaultList(const char *name, const std::vector<Number> &content);

    /// Collects the lengths and contents of lists.
    void bindLists();

    /// Computes a dim, and compares it with the shapes.
    void define(const char *dim, const Number &value, const char *definition);

    /// Compares the shapes of outputs.
    void checkOutputs();

    /// The size of a dim, or the value of an attribute.
    Number at(const char *name) const;

    bool given(const char *parameter) const;

    /// A constraint of the document, with the names that it is made of.
    void require(int code, Truth holds, const char *constraint, const std::vector<const char *> &names);

    /// A constraint that a tensor is there.
    void requireGiven(int code, const char *parameter, const char *reason);

    /// The values that an attribute may have.
    void allow(int code, const char *name, const std::vector<int64_t> &values);
    void allow(int code, const char *name, const std::vector<const char *> &values);

    /// Tests constraints on lists, if nothing else is wrong: they may rely on the other constraints.
    void checkLists(const ListSides &sides);

    /// Tests the elements of a list; has those of a tensor tested before the kernel runs.
    void places(const char *name, const Number &below, bool unused);

    /// Refuses with the fault that counts; gives outputs that the call does not ask for the shape that they would have.
    void settle();

    /// What the call gives for a parameter, the elements of a list, and the value of a text.
    const Argument &argument(const char *name) const;
    const std::vector<int64_t> &elements(const char *list) const;
    const std::string &textOf(const char *name) const { return texts_.at(name); }

    /// Settles the call, and hands out the executor.
    void finish(uint64_t *workspaceSize, aclOpExecutor **executor);

private:
    struct Size {
        Number number;
        std::string from;
    };

    size_t placeOf(const char *name) const;
    const Argument *find(const char *name) const;
    void complain(int code, const std::string &text);
    void refuseFaults() const;
    std::string described(const char *name) const;
    void bindTensor(const Argument &argument);
    void bindDim(const Argument &argument, size_t position);
    Size sizeBefore(const Argument &argument, const char *dim) const;
    void checkMemory(const Argument &argument);
    void narrow(const Argument &argument, std::vector<size_t> &columns, std::string &because);
    bool serves(const Kernel &kernel) const;
    const Kernel &kernel() const;
    int64_t countOf(const std::vector<const char *> &dims) const;
    void compareSides(const ListCheck &check, const std::vector<uint8_t> &lhs, const std::vector<uint8_t> &rhs);
    void completeOutputs();

    /// Refuses sizes and attributes below 0: kernels are made for others.
    void refuseNegative() const;

    /// Where the sizes in a text come from, and whose elements tests of lists are about; as ends of messages.
    std::string origins(const std::string &text) const;
    std::string lists() const;

    const Operator &op_;
    std::vector<Argument> arguments_;
    std::vector<std::vector<int64_t>> lists_;
    std::map<std::string, Size> sizes_;
    std::map<std::string, std::string> texts_;
    std::vector<size_t> columns_;
    std::vector<Places> places_;
    std::vector<Refusal> faults_;
};

/// Runs the body of a first phase.
aclnnStatus firstPhase(const Operator &op, const std::function<void(Call &)> &body);

}  // namespace opwright
