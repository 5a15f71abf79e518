// Elementwise functions of the high-level library.
#pragma once

#include "api/compound.h"
#include "high/math_functions.h"

namespace AscendC {

// How a chip is to compute a function: the model computes the function itself, whatever the choice.
enum class TanhAlgo { INTRINSIC = 0, SUBSECTION_COMPENSATION };
enum class SinAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class CosAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class AtanAlgo { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
enum class ErfAlgo { PADE_APPROXIMATION = 0, SUBSECTION_POLYNOMIAL_APPROXIMATION };
enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };

struct TanhConfig { TanhAlgo algo = TanhAlgo::INTRINSIC; };
struct SinConfig { SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION; };
struct CosConfig { CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION; };
struct AtanConfig { AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION; };
struct ErfConfig { ErfAlgo algo = ErfAlgo::PADE_APPROXIMATION; };
struct PowerConfig { PowerAlgo algo = PowerAlgo::INTRINSIC; };
struct FmodConfig {
    FmodAlgo algo = FmodAlgo::NORMAL;
    uint32_t iterationNum = 11;
};
struct NoConfig {};

inline constexpr TanhConfig DEFAULT_TANH_CONFIG{};
inline constexpr SinConfig defaultSinConfig{};
inline constexpr CosConfig defaultCosConfig{};
inline constexpr AtanConfig defaultAtanConfig{};
inline constexpr ErfConfig defaultErfConfig{};
inline constexpr PowerConfig defaultPowerConfig{};
inline constexpr FmodConfig DEFAULT_FMOD_CONFIG{};
inline constexpr NoConfig noConfig{};

#define EMU_LIBRARY_DTYPE(Name, ...) \
    static_assert(emu::isLegalFor<__VA_ARGS__>(#Name), #Name ": the library has no such dtype on this chip")

// A function of one operand with a count: temporary memory, or none; also as a pointer.
#define EMU_LIBRARY_TMP(Name, reusable, Config, standard)                                                            \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              uint32_t calCount, Site site = Site::here()) {                                                         \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, calCount, &sharedTmpBuffer, reusable, dst, src);           \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard, typename... None,             \
              emu::IfEmpty<None...> = 0>                                                                             \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              uint32_t calCount, None...) {                                                                          \
        Name<T, isReuseSource, config>(dst, src, sharedTmpBuffer, calCount, Site::indirect());                       \
    }
#define EMU_LIBRARY_PLAIN(Name, reusable, Config, standard)                                                          \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t calCount, Site site = Site::here()) {   \
        EMU_LIBRARY_DTYPE(Name, T, T);                                                                               \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, calCount, nullptr, reusable, dst, src);                    \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard, typename... None,             \
              emu::IfEmpty<None...> = 0>                                                                             \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t calCount, None...) {                    \
        Name<T, isReuseSource, config>(dst, src, calCount, Site::indirect());                                        \
    }
// The whole source.
#define EMU_LIBRARY_TMP_ALL(Name, Config, standard)                                                                  \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,     \
              Site site = Site::here()) {                                                                            \
        Name<T, isReuseSource, config>(dst, src, sharedTmpBuffer, src.GetSize(), site);                              \
    }
#define EMU_LIBRARY_PLAIN_ALL(Name, Config, standard)                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Site site = Site::here()) {                      \
        Name<T, isReuseSource, config>(dst, src, src.GetSize(), site);                                               \
    }
// All four forms, those with a count, and those without temporary memory.
#define EMU_LIBRARY_UNARY(Name, reusable, Config, standard) \
    EMU_LIBRARY_TMP(Name, reusable, Config, standard)       \
    EMU_LIBRARY_TMP_ALL(Name, Config, standard)             \
    EMU_LIBRARY_PLAIN(Name, reusable, Config, standard)     \
    EMU_LIBRARY_PLAIN_ALL(Name, Config, standard)
#define EMU_LIBRARY_COUNTED(Name, reusable)             \
    EMU_LIBRARY_TMP(Name, reusable, NoConfig, noConfig) \
    EMU_LIBRARY_PLAIN(Name, reusable, NoConfig, noConfig)
#define EMU_LIBRARY_WITHOUT(Name)                      \
    EMU_LIBRARY_PLAIN(Name, false, NoConfig, noConfig) \
    EMU_LIBRARY_PLAIN_ALL(Name, NoConfig, noConfig)

EMU_LIBRARY_UNARY(Tanh, false, TanhConfig, DEFAULT_TANH_CONFIG)
EMU_LIBRARY_UNARY(Sin, false, SinConfig, defaultSinConfig)
EMU_LIBRARY_UNARY(Cos, false, CosConfig, defaultCosConfig)
EMU_LIBRARY_UNARY(Atan, false, AtanConfig, defaultAtanConfig)
EMU_LIBRARY_UNARY(Erf, false, ErfConfig, defaultErfConfig)
EMU_LIBRARY_UNARY(Erfc, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Asin, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Acos, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Tan, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Sinh, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Cosh, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Asinh, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Acosh, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Atanh, false, NoConfig, noConfig)
EMU_LIBRARY_WITHOUT(Log)
EMU_LIBRARY_UNARY(Log2, false, NoConfig, noConfig)
EMU_LIBRARY_WITHOUT(Log10)
EMU_LIBRARY_COUNTED(Lgamma, false)
EMU_LIBRARY_COUNTED(Digamma, false)
EMU_LIBRARY_UNARY(Trunc, true, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Frac, false, NoConfig, noConfig)
EMU_LIBRARY_COUNTED(Floor, false)
EMU_LIBRARY_COUNTED(Ceil, false)
EMU_LIBRARY_COUNTED(Round, true)
EMU_LIBRARY_UNARY(Sign, false, NoConfig, noConfig)
EMU_LIBRARY_UNARY(Sigmoid, false, NoConfig, noConfig)
#undef EMU_LIBRARY_WITHOUT
#undef EMU_LIBRARY_COUNTED
#undef EMU_LIBRARY_UNARY
#undef EMU_LIBRARY_PLAIN_ALL
#undef EMU_LIBRARY_TMP_ALL
#undef EMU_LIBRARY_PLAIN
#undef EMU_LIBRARY_TMP

// A function of two operands, in the same four forms.
#define EMU_LIBRARY_BINARY(Name, Config, standard)                                                                   \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                     \
              const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount, Site site = Site::here()) {            \
        EMU_LIBRARY_DTYPE(Name, T, T, T);                                                                            \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, calCount, &sharedTmpBuffer, false, dst, src0, src1);       \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                     \
              const LocalTensor<uint8_t>& sharedTmpBuffer, Site site = Site::here()) {                               \
        Name<T, isReuseSource, config>(dst, src0, src1, sharedTmpBuffer, src0.GetSize(), site);                      \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint32_t calCount,  \
              Site site = Site::here()) {                                                                            \
        EMU_LIBRARY_DTYPE(Name, T, T, T);                                                                            \
        emu::libraryLanes(#Name, site, emu::Name##Lane{}, calCount, nullptr, false, dst, src0, src1);                \
    }                                                                                                                \
    template <typename T, bool isReuseSource = false, const Config& config = standard>                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                     \
              Site site = Site::here()) {                                                                            \
        Name<T, isReuseSource, config>(dst, src0, src1, src0.GetSize(), site);                                       \
    }

EMU_LIBRARY_BINARY(Power, PowerConfig, defaultPowerConfig)
EMU_LIBRARY_BINARY(Fmod, FmodConfig, DEFAULT_FMOD_CONFIG)
EMU_LIBRARY_BINARY(Xor, NoConfig, noConfig)
EMU_LIBRARY_BINARY(Hypot, NoConfig, noConfig)
EMU_LIBRARY_BINARY(GeGLU, NoConfig, noConfig)
EMU_LIBRARY_BINARY(ReGlu, NoConfig, noConfig)
#undef EMU_LIBRARY_BINARY

}  // namespace AscendC
