#include "call.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "places.h"

namespace opwright {

namespace {

std::string quoted(const char *name) { return std::string("'") + name + "'"; }

bool isNumber(const char *dim) { return *dim >= '0' && *dim <= '9'; }

std::string alternatives(const std::vector<std::string> &texts) {
    std::string all;
    for (size_t i = 0; i < texts.size(); i++) all += (i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ") + texts[i];
    return all;
}

bool contains(const Dtypes &dtypes, aclDataType dtype) {
    return std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

}  // namespace

Call::Call(const Operator &op) : op_(op) {
    for (size_t column = 0; column < op.parameters.front().dtypes.size(); column++) columns_.push_back(column);
}

void Call::tensor(const aclTensor *given) {
    const Parameter &parameter = op_.parameters[arguments_.size()];
    Argument argument;
    argument.parameter = &parameter;
    argument.given = given != nullptr;
    if (given != nullptr) {
        argument.view = viewOf(given, parameter.name);
    } else if (!parameter.optional) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, quoted(parameter.name) + " is null; the tensor is required");
    }
    arguments_.push_back(std::move(argument));
    lists_.emplace_back();
}

void Call::list(const aclIntArray *given) {
    const Parameter &parameter = op_.parameters[arguments_.size()];
    Argument argument;
    argument.parameter = &parameter;
    argument.given = given != nullptr;
    lists_.emplace_back();
    if (given != nullptr) {
        lists_.back() = valuesOf(given, parameter.name);
    } else if (!parameter.optional) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, quoted(parameter.name) + " is null; the list is required");
    }
    arguments_.push_back(std::move(argument));
}

void Call::attribute(const char *name, int64_t value) { sizes_[name] = {value, ""}; }

void Call::attribute(const char *name, double) { sizes_[name] = {Number::none(Number::State::unknown), ""}; }

void Call::text(const char *name, const char *value, const char *otherwise) {
    if (value == nullptr && otherwise == nullptr) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, quoted(name) + " is null; the text is required");
    }
    texts_[name] = value == nullptr ? otherwise : value;
}

void Call::integers(const char *name, const aclIntArray *values, int64_t otherwise) {
    if (values == nullptr && otherwise < 0) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, quoted(name) + " is null; the list is required");
    }
    const int64_t length = values == nullptr ? otherwise : static_cast<int64_t>(valuesOf(values, name).size());
    sizes_["length(" + std::string(name) + ")"] = {length, ""};
}

size_t Call::placeOf(const char *name) const {
    const auto found = std::find_if(arguments_.begin(), arguments_.end(), [&](const Argument &each) {
        return std::strcmp(each.parameter->name, name) == 0;
    });
    return static_cast<size_t>(found - arguments_.begin());
}

const Argument &Call::argument(const char *name) const { return arguments_[placeOf(name)]; }

const std::vector<int64_t> &Call::elements(const char *list) const { return lists_[placeOf(list)]; }

const Argument *Call::find(const char *name) const {
    for (const Argument &each : arguments_) {
        if (std::strcmp(each.parameter->name, name) == 0) return &each;
    }
    return nullptr;
}

void Call::complain(int code, const std::string &text) { faults_.push_back({code, text}); }

void Call::narrow(const Argument &argument, std::vector<size_t> &columns, std::string &because) {
    std::vector<size_t> fitting;
    std::vector<std::string> allowed;
    for (const size_t column : columns) {
        const Dtypes &dtypes = argument.parameter->dtypes[column];
        if (contains(dtypes, argument.view.dtype)) fitting.push_back(column);
        for (const aclDataType dtype : dtypes) {
            const std::string name = dtypeName(dtype);
            if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) allowed.push_back(name);
        }
    }
    if (fitting.empty()) {
        const std::string found = dtypeName(argument.view.dtype);
        complain(ACLNN_ERR_PARAM_INVALID, "the dtype of " + quoted(argument.parameter->name) + " is " + found + " (" +
                                              std::to_string(argument.view.dtype) + "); it must be " +
                                              alternatives(allowed) + because);
        return;
    }
    if (fitting.size() < columns.size()) {
        because = std::string(" where ") + quoted(argument.parameter->name) + " is " + dtypeName(argument.view.dtype);
    }
    columns = fitting;
}

void Call::checkTypes() {
    std::string because;
    for (const Argument &each : arguments_) {
        if (each.given && each.parameter->role != Role::list) narrow(each, columns_, because);
    }
    for (const Argument &each : arguments_) {
        if (!each.given || each.parameter->role == Role::list) continue;
        if (!isPlain(each.view.format)) {
            complain(ACLNN_ERR_PARAM_INVALID, "the format of " + quoted(each.parameter->name) + " is " +
                                                  formatName(each.view.format) + "; it must be ACL_FORMAT_ND");
        }
        if (!each.parameter->strided && !each.view.isContiguous()) {
            complain(ACLNN_ERR_PARAM_INVALID,
                     quoted(each.parameter->name) + " is not contiguous: strides " + shapeText(each.view.strides) +
                         ", shape " + shapeText(each.view.shape) + "; it must have strides " +
                         shapeText(rowMajor(each.view.shape)));
        }
    }
}

void Call::bindDim(const Argument &argument, size_t position) {
    const Parameter &parameter = *argument.parameter;
    const char *dim = parameter.dims[position];
    const int64_t size = argument.view.shape[position];
    const std::string where = "dim " + std::to_string(position) + " of " + quoted(parameter.name);
    const auto known = sizes_.find(dim);
    if (!isNumber(dim) && known == sizes_.end()) {
        sizes_[dim] = {size, where};
        return;
    }
    const int code = parameter.codes.empty() ? ACLNN_ERR_INNER_TILING_ERROR : parameter.codes[position];
    const Size expected = isNumber(dim)                              ? Size{Number(std::stoll(dim)), ""}
                          : code == ACLNN_ERR_INNER_TILING_ERROR ? known->second
                                                                     : sizeBefore(argument, dim);
    if ((expected.number == size) != Truth::no || !expected.number.known()) return;
    const std::string name = isNumber(dim) ? "" : std::string(" = ") + dim;
    const std::string source = expected.from.empty() ? "" : " (" + expected.from + ")";
    complain(code, where + " is " + std::to_string(size) + ", its shape " + shapeText(argument.view.shape) +
                       "; it must be " + std::to_string(expected.number.value) + name + source);
}

/// The size of a dim in the last tensor before this one that has it: what a status of its own is about.
Call::Size Call::sizeBefore(const Argument &argument, const char *dim) const {
    Size found = sizes_.at(dim);
    for (const Argument *each = arguments_.data(); each != &argument; each++) {
        const std::vector<const char *> &dims = each->parameter->dims;
        for (size_t i = 0; each->given && i < dims.size(); i++) {
            if (std::strcmp(dims[i], dim) != 0) continue;
            const bool isThere = each->view.shape.size() == dims.size();
            found = {isThere ? Number(each->view.shape[i]) : Number::none(Number::State::unknown),
                     "dim " + std::to_string(i) + " of " + quoted(each->parameter->name)};
        }
    }
    return found;
}

void Call::bindTensor(const Argument &argument) {
    const Parameter &parameter = *argument.parameter;
    if (argument.view.shape.size() != parameter.dims.size()) {
        complain(ACLNN_ERR_INNER_TILING_ERROR,
                 "the rank of " + quoted(parameter.name) + " is " + std::to_string(argument.view.shape.size()) +
                     ", its shape " + shapeText(argument.view.shape) + "; it must be " +
                     std::to_string(parameter.dims.size()));
        for (const char *dim : parameter.dims) {
            if (!isNumber(dim)) sizes_.insert({dim, {Number::none(Number::State::unknown), ""}});
        }
        return;
    }
    for (size_t i = 0; i < parameter.dims.size(); i++) {
        if (argument.view.shape[i] < 0) {
            complain(ACLNN_ERR_INNER_TILING_ERROR,
                     "the shape of " + quoted(parameter.name) + " is " + shapeText(argument.view.shape) +
                         "; sizes must not be negative");
            return;
        }
    }
    for (size_t i = 0; i < parameter.dims.size(); i++) bindDim(argument, i);
    checkMemory(argument);
}

/// Refuses a tensor so large that a product of sizes could overflow, also where another size is 0.
void Call::checkMemory(const Argument &argument) {
    constexpr int64_t most = INT64_C(1) << 48;
    Number count = 1;
    for (const int64_t size : argument.view.shape) count = count * Number(size > 0 ? size : 1);
    if (count.value > most) {
        complain(ACLNN_ERR_INNER_TILING_ERROR, quoted(argument.parameter->name) + " does not fit in memory: its shape is " +
                                                   shapeText(argument.view.shape));
    }
}

void Call::bindInputs() {
    for (const Argument &each : arguments_) {
        if (each.given && each.parameter->role == Role::input) bindTensor(each);
    }
}

void Call::defaultList(const char *name, const std::vector<Number> &content) {
    Argument &list = arguments_[placeOf(name)];
    std::vector<int64_t> &values = lists_[placeOf(name)];
    if (list.given && !values.empty()) return;
    values.clear();
    for (const Number &each : content) values.push_back(each.value);
    list.given = true;
}

void Call::bindLists() {
    for (size_t i = 0; i < arguments_.size(); i++) {
        Argument &list = arguments_[i];
        if (list.parameter->role != Role::list || !list.given) continue;
        list.view.shape = {static_cast<int64_t>(lists_[i].size())};
        list.view.dtype = list.parameter->dtypes.front().front();
        const size_t bytes = aclDataTypeSize(list.view.dtype);
        for (const int64_t value : lists_[i]) {
            const int spare = 64 - static_cast<int>(bytes) * 8;
            if (static_cast<int64_t>(static_cast<uint64_t>(value) << spare) >> spare != value) {
                complain(ACLNN_ERR_INNER_TILING_ERROR, quoted(list.parameter->name) + " holds " +
                                                           std::to_string(value) + ", which is no " +
                                                           dtypeName(list.view.dtype));
            }
            const auto *raw = reinterpret_cast<const uint8_t *>(&value);
            list.list.insert(list.list.end(), raw, raw + bytes);
        }
        bindTensor(list);
    }
}

void Call::define(const char *dim, const Number &value, const char *definition) {
    const auto bound = sizes_.find(dim);
    if (value.state == Number::State::undefined) {
        complain(ACLNN_ERR_INNER_TILING_ERROR, "dim " + std::string(dim) + " = " + definition +
                                                   " has no value: a division by 0" + origins(definition));
        sizes_[dim] = {Number::none(Number::State::unknown), ""};
        return;
    }
    if (bound != sizes_.end() && (bound->second.number == value) == Truth::no) {
        const std::string must = std::to_string(value.value);
        complain(ACLNN_ERR_INNER_TILING_ERROR,
                 bound->second.from + " is " + std::to_string(bound->second.number.value) + "; it must be " + must +
                     (must == definition ? "" : std::string(" = ") + definition));
    }
    sizes_[dim] = {value, definition};
}

void Call::checkOutputs() {
    for (const Argument &each : arguments_) {
        if (each.given && each.parameter->role == Role::output) bindTensor(each);
    }
}

Number Call::at(const char *name) const {
    const auto found = sizes_.find(name);
    return found == sizes_.end() ? Number(0) : found->second.number;
}

bool Call::given(const char *parameter) const {
    const Argument *found = find(parameter);
    return found != nullptr && found->given;
}

std::string Call::described(const char *name) const {
    const auto found = sizes_.find(name);
    if (found == sizes_.end()) return std::string(name) + " = 0";
    const std::string from = found->second.from.empty() ? "" : " (" + found->second.from + ")";
    return std::string(name) + " = " + std::to_string(found->second.number.value) + from;
}

void Call::require(int code, Truth holds, const char *constraint, const std::vector<const char *> &names) {
    if (holds != Truth::no) return;
    std::string values;
    for (const char *name : names) values += (values.empty() ? "" : ", ") + described(name);
    complain(code, values + "; it must hold that " + constraint);
}

void Call::requireGiven(int code, const char *parameter, const char *reason) {
    if (given(parameter)) return;
    complain(code, quoted(parameter) + " is null; it is required" + reason);
}

void Call::allow(int code, const char *name, const std::vector<int64_t> &values) {
    const Number found = at(name);
    std::vector<std::string> texts;
    for (const int64_t value : values) {
        if ((found == value) != Truth::no) return;
        texts.push_back(std::to_string(value));
    }
    complain(code, quoted(name) + " is " + std::to_string(found.value) + "; it must be " + alternatives(texts));
}

void Call::allow(int code, const char *name, const std::vector<const char *> &values) {
    const std::string &found = texts_.at(name);
    std::vector<std::string> texts;
    for (const char *value : values) {
        if (found == value) return;
        texts.push_back(std::string("\"") + value + "\"");
    }
    complain(code, quoted(name) + " is \"" + found + "\"; it must be " + alternatives(texts));
}

int64_t Call::countOf(const std::vector<const char *> &dims) const {
    Shape shape;
    for (const char *dim : dims) shape.push_back(isNumber(dim) ? std::stoll(dim) : at(dim).value);
    return elementCount(shape);
}

namespace {

bool holds(const std::string &comparison, int64_t a, int64_t b) {
    if (comparison == "<=") return a <= b;
    if (comparison == "<") return a < b;
    if (comparison == ">=") return a >= b;
    if (comparison == ">") return a > b;
    return a == b;
}

bool hasWord(const std::string &text, const std::string &word) {
    const auto inside = [&](size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        if (!inside(at - 1) && !inside(at + word.size())) return true;
    }
    return false;
}

}  // namespace

std::string Call::origins(const std::string &text) const {
    std::string found;
    for (const auto &size : sizes_) {
        if (size.second.from.empty() || !hasWord(text, size.first)) continue;
        found += "; " + size.first + " is " + size.second.from;
    }
    return found;
}

std::string Call::lists() const {
    std::string names;
    for (const Argument &each : arguments_) {
        if (each.parameter->role != Role::list) continue;
        names += (names.empty() ? "; the elements are those of " : ", ") + quoted(each.parameter->name);
    }
    return names;
}

void Call::compareSides(const ListCheck &check, const std::vector<uint8_t> &lhs, const std::vector<uint8_t> &rhs) {
    const size_t width = aclDataTypeSize(check.dtype);
    const auto count = static_cast<size_t>(countOf(check.dims));
    for (size_t i = 0; i < count; i++) {
        const int64_t a = integerAt(lhs.data(), i, width);
        const int64_t b = integerAt(rhs.data(), i, width);
        if (holds(check.comparison, a, b)) continue;
        const std::string place = count > 1 ? " at place " + std::to_string(i) : "";
        complain(check.code, std::to_string(a) + " is found and " + std::to_string(b) + place +
                                 "; it must hold that " + check.constraint + origins(check.constraint) + lists());
        return;
    }
}

void Call::checkLists(const ListSides &sides) {
    if (!faults_.empty()) return;
    std::map<std::string, std::vector<uint8_t>> arrays;
    for (const ListCheck &check : sides.checks) {
        for (const char *side : {check.lhs, check.rhs}) {
            const auto bytes = static_cast<size_t>(countOf(check.dims)) * aclDataTypeSize(check.dtype);
            arrays[side].resize(std::max<size_t>(bytes, 1));
        }
    }
    std::vector<void *> tensors;
    for (const char *name : sides.kernel.tensors) {
        const Argument *list = find(name);
        if (list != nullptr && !list->given) return;
        const auto found = arrays.find(name);
        tensors.push_back(list != nullptr           ? const_cast<uint8_t *>(list->list.data())
                          : found != arrays.end() ? found->second.data()
                                                    : nullptr);
    }
    std::vector<int64_t> sizes;
    sizes_["unit"] = {1, ""};
    for (const char *name : sides.kernel.sizes) sizes.push_back(at(name).value);
    if (sides.kernel.run(tensors.data(), sizes.data(), 1) != 0) throw std::bad_alloc();
    for (const ListCheck &check : sides.checks) compareSides(check, arrays[check.lhs], arrays[check.rhs]);
}

void Call::places(const char *name, const Number &below, bool unused) {
    if (!given(name) || !below.known()) return;
    const Places places{placeOf(name), below.value, unused};
    const Argument &given = arguments_[places.argument];
    if (given.parameter->role != Role::list) {
        places_.push_back(places);
        return;
    }
    const std::string fault = faultOfPlaces(places, given, given.list.data());
    if (!fault.empty()) complain(ACLNN_ERR_PARAM_INVALID, fault);
}

/// Gives outputs that the call does not ask for the shape that they would have.
void Call::completeOutputs() {
    for (Argument &each : arguments_) {
        if (each.parameter->role != Role::output || each.given) continue;
        for (const char *dim : each.parameter->dims) {
            each.view.shape.push_back(isNumber(dim) ? std::stoll(dim) : at(dim).value);
        }
        each.view.dtype = each.parameter->dtypes[columns_.front()].front();
        each.view.strides = rowMajor(each.view.shape);
    }
}

void Call::refuseFaults() const {
    const auto worst = std::min_element(faults_.begin(), faults_.end(),
                                        [](const Refusal &a, const Refusal &b) { return a.code < b.code; });
    if (worst != faults_.end()) throw *worst;
}

void Call::settle() {
    refuseFaults();
    refuseNegative();
    completeOutputs();
}

void Call::refuseNegative() const {
    for (const auto &[name, size] : sizes_) {
        if (!size.number.known() || size.number.value >= 0) continue;
        const std::string from = size.from.empty() ? "" : " = " + size.from;
        refuse(ACLNN_ERR_INNER_TILING_ERROR, quoted(name.c_str()) + from + " is " + std::to_string(size.number.value) +
                                                 "; sizes must not be negative" + origins(size.from));
    }
}

}  // namespace opwright
