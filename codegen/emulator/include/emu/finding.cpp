// The list of findings.
#include "emu/finding.h"

#include <cstdarg>
#include <cstdio>

namespace emu {

void Findings::add(Rule rule, const char* api, Site site, int core, std::string message) {
    races_ += rule == Rule::ubRace || rule == Rule::gmRace;
    const Key key{rule, api, site.file, site.line};
    const auto known = index_.find(key);
    if (known != index_.end()) {
        list_[known->second].count++;
        return;
    }
    index_.emplace(key, list_.size());
    list_.push_back(Finding{rule, api, site, core, 1, std::move(message)});
}

std::string Findings::printed() const {
    std::string all;
    for (const auto& [core, text] : printed_) all += text;
    return all;
}

std::string text(const char* format, ...) {
    char buffer[512];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    return buffer;
}

}  // namespace emu
