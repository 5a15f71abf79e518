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

[[noreturn]] inline void refuse(int code, const std::string &text) { throw Refusal{code, text}; }

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

}  // namespace opwright
