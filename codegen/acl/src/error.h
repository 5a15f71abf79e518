// Refused calls: a status, and a text that the caller can ask for.
#pragma once

#include <new>
#include <string>

#include "acl/acl_base.h"

namespace opwright {

/// What a refused call throws; the API function that was called turns it into its status.
struct Refusal {
    int code;
    std::string text;
};

[[noreturn]] void refuse(int code, const std::string &text);

/// Refuses a null pointer, as functions of the runtime do.
void requirePointer(const char *parameter, const void *pointer);

/// Remembers a text for the calling thread, where aclGetRecentErrMsg finds it, the newest first. It also goes to stderr
/// where $OPWRIGHT_ACL_LOG asks for that, or `loud` does.
void remember(const std::string &text, bool loud = false);

/// Remembers why `api` failed, and returns the status.
int failed(const char *api, const Refusal &refusal) noexcept;

/// Runs the body of an API function, and returns its status.
template <typename Body>
int guarded(const char *api, const Body &body) noexcept {
    try {
        body();
        return ACL_SUCCESS;
    } catch (const Refusal &refusal) {
        return failed(api, refusal);
    } catch (const std::bad_alloc &) {
        return failed(api, {ACL_ERROR_BAD_ALLOC, "there is not enough memory"});
    }
}

/// A number as text, in hexadecimal: how addresses are told.
std::string address(const void *pointer);

}  // namespace opwright
