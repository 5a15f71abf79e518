// The texts of refused calls, and pieces of such texts.
#pragma once

#include <string>

#include "refusal.h"

namespace opwright {

/// Refuses a null pointer, as functions of the runtime do.
void requirePointer(const char *parameter, const void *pointer);

/// Remembers a text for the calling thread, where aclGetRecentErrMsg finds it, the newest first. It also goes to stderr
/// where $OPWRIGHT_ACL_LOG asks for that, or `loud` does.
void remember(const std::string &text, bool loud = false);

/// A number as text, in hexadecimal: how addresses are told.
std::string address(const void *pointer);

}  // namespace opwright
