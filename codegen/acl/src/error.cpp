#include "error.h"

#include <cstdio>
#include <cstdlib>

#include "acl/acl_rt.h"

namespace opwright {

namespace {

struct ThreadErrors {
    std::string pending;
    std::string handedOut;
    int last = ACL_SUCCESS;
};

ThreadErrors &errors() {
    static thread_local ThreadErrors mine;
    return mine;
}

/// Returns whether texts also go to stderr.
bool logs() {
    const char *wanted = std::getenv("OPWRIGHT_ACL_LOG");
    return wanted != nullptr && *wanted != '\0' && *wanted != '0';
}

}  // namespace

void requirePointer(const char *parameter, const void *pointer) {
    if (pointer == nullptr) refuse(ACL_ERROR_INVALID_PARAM, std::string("'") + parameter + "' must not be null");
}

void remember(const std::string &text, bool loud) {
    std::string &pending = errors().pending;
    pending = pending.empty() ? text : text + "\n" + pending;
    if (loud || logs()) std::fprintf(stderr, "opwright: %s\n", text.c_str());
}

int failed(const char *api, const Refusal &refusal) noexcept {
    errors().last = refusal.code;
    try {
        remember("[" + std::to_string(refusal.code) + "] " + api + ": " + refusal.text);
    } catch (const std::bad_alloc &) {
        errors().pending.clear();
    }
    return refusal.code;
}

std::string address(const void *pointer) {
    char text[32];
    std::snprintf(text, sizeof text, "%p", pointer);
    return text;
}

}  // namespace opwright

using namespace opwright;

const char *aclGetRecentErrMsg() {
    ThreadErrors &mine = errors();
    if (mine.pending.empty()) return nullptr;
    mine.handedOut.swap(mine.pending);
    mine.pending.clear();
    return mine.handedOut.c_str();
}

aclError aclrtGetLastError(aclrtLastErrLevel) {
    const int last = errors().last;
    errors().last = ACL_SUCCESS;
    return last;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel) { return errors().last; }
