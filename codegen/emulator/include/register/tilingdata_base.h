// Tiling structures as host code declares them: here the plain structure that the kernel sees.
#pragma once

#include <cstdint>
#include <cstring>

// A structure of fields in their order, padded to 8 bytes, with the functions of host code.
#define BEGIN_TILING_DATA_DEF(Name)                                                      \
    struct alignas(8) Name {                                                             \
        void SaveToBuffer(void* to, size_t) const { std::memcpy(to, this, sizeof *this); } \
        size_t GetDataSize() const { return sizeof *this; }
#define TILING_DATA_FIELD_DEF(Type, field)     \
    Type field{};                              \
    void set_##field(Type value) { field = value; } \
    Type get_##field() const { return field; }
#define TILING_DATA_FIELD_DEF_ARR(Type, size, field)                                                 \
    Type field[size]{};                                                                              \
    void set_##field(const Type* values) { std::memcpy(field, values, sizeof field); }               \
    const Type* get_##field() const { return field; }
#define TILING_DATA_FIELD_DEF_STRUCT(Type, field) Type field{};
#define END_TILING_DATA_DEF }

// The structure of an operator, for kernels that use GET_TILING_DATA without naming one.
#define REGISTER_TILING_DATA_CLASS(Operator, Name) using TilingOf_##Operator = Name;
