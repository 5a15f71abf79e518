// Functions and traits of the standard library that kernels may use.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

#include "api/tensor.h"

namespace AscendC {

template <typename T, typename U>
struct IsSameType : std::is_same<T, U> {};
template <typename T, typename U>
inline constexpr bool IsSameTypeV = std::is_same_v<T, U>;
template <typename T, typename... Others>
struct IsTypeOneOf : std::bool_constant<(std::is_same_v<T, Others> || ...)> {};
template <typename T, typename... Others>
inline constexpr bool IsTypeOneOfV = IsTypeOneOf<T, Others...>::value;
template <typename T, typename... Others>
constexpr bool SupportType() { return IsTypeOneOfV<T, Others...>; }
template <bool condition, typename T, typename U>
struct Conditional : std::conditional<condition, T, U> {};
template <typename T>
using PrimT = T;

namespace Std {

using std::abs;
using std::add_const;
using std::add_cv;
using std::add_lvalue_reference;
using std::add_pointer;
using std::add_rvalue_reference;
using std::add_volatile;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::index_sequence;
using std::index_sequence_for;
using std::integer_sequence;
using std::integral_constant;
using std::is_array;
using std::is_base_of;
using std::is_const;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_reference;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::max;
using std::min;
using std::move;
using std::remove_const;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::sqrt;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
using std::void_t;
template <size_t value> using Int = std::integral_constant<size_t, value>;

}  // namespace Std

}  // namespace AscendC
