// A stand-in for CANN's query of the platform.
#pragma once

#include <cstdint>

namespace platform_ascendc {

enum class SocVersion { ASCEND910 = 0, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND950 };

/// What a test says of the chip.
struct StubPlatform {
    int32_t soc;
    uint32_t cores;
};

class PlatformAscendC {
public:
    explicit PlatformAscendC(void *platform) : platform_(static_cast<StubPlatform *>(platform)) {}
    uint32_t GetCoreNumAiv() const { return platform_->cores; }
    SocVersion GetSocVersion() const { return static_cast<SocVersion>(platform_->soc); }
    uint32_t GetLibApiWorkSpaceSize() const { return 16u << 20; }

private:
    StubPlatform *platform_;
};

}  // namespace platform_ascendc
