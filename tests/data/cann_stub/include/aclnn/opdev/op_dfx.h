// A stand-in for what CANN's functions start with.
#pragma once

#include <tuple>

#include "aclnn/opdev/op_errno.h"

#define DFX_IN(...) std::make_tuple(__VA_ARGS__)
#define DFX_OUT(...) std::make_tuple(__VA_ARGS__)

#define L2_DFX_PHASE_1(Name, inputs, outputs)               \
    do {                                                    \
        if (executor == nullptr || workspaceSize == nullptr) { \
            return ACLNN_ERR_PARAM_NULLPTR;                 \
        }                                                   \
        (void)inputs;                                       \
        (void)outputs;                                      \
    } while (false)

#define L2_DFX_PHASE_2(Name) (void)executor

#define L0_DFX(Name, ...) (void)std::make_tuple(__VA_ARGS__)

#define OP_TYPE_REGISTER(Name) const char *const Name##Type = #Name
