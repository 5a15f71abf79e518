// A stand-in for CANN's log: the newest text is kept.
#pragma once

#include <cstdio>
#include <string>

namespace op {

std::string &Message();

template <typename... Arguments>
void Log(int code, const char *format, Arguments... arguments)
{
    char text[1024];
    std::snprintf(text, sizeof text, format, arguments...);
    Message() = std::to_string(code) + " " + text;
}

}  // namespace op

#define OP_LOGE(code, ...) op::Log(code, __VA_ARGS__)

#define CHECK_RET(condition, result) \
    do {                             \
        if (!(condition)) {          \
            return result;           \
        }                            \
    } while (false)
