// Loads, stores and write-back of the scalar data cache.
#include "emu/scalar_cache.h"

#include <algorithm>
#include <cstring>

namespace emu {

namespace {

bool anyDirty(const std::array<bool, ScalarCache::lineBytes>& dirty) {
    return std::find(dirty.begin(), dirty.end(), true) != dirty.end();
}

}  // namespace

void ScalarCache::load(const uint8_t* from, void* to, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) {
        static_cast<uint8_t*>(to)[i] = line(from + i).bytes[static_cast<uint64_t>(from + i - startOf(from + i))];
    }
}

void ScalarCache::store(uint8_t* to, const void* from, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) {
        Line& into = line(to + i);
        const auto at = static_cast<uint64_t>(to + i - startOf(to + i));
        into.bytes[at] = static_cast<const uint8_t*>(from)[i];
        into.dirty[at] = true;
    }
}

bool ScalarCache::isDirty(const uint8_t* address) const {
    const auto entry = lines_.find(startOf(address));
    return entry != lines_.end() && anyDirty(entry->second.dirty);
}

size_t ScalarCache::dirtyLines() const {
    return static_cast<size_t>(std::count_if(lines_.begin(), lines_.end(),
                                             [](const auto& entry) { return anyDirty(entry.second.dirty); }));
}

void ScalarCache::clean(const uint8_t* address, const char* api, Site site) {
    const auto entry = lines_.find(startOf(address));
    if (entry != lines_.end()) drop(entry, api, site);
}

void ScalarCache::cleanAll(const char* api, Site site) {
    for (auto entry = lines_.begin(); entry != lines_.end();) entry = drop(entry, api, site);
}

ScalarCache::Line& ScalarCache::line(const uint8_t* address) {
    uint8_t* start = startOf(address);
    const auto known = lines_.find(start);
    if (known != lines_.end()) return known->second;
    Line& fresh = lines_[start];
    std::memcpy(fresh.bytes.data(), start, lineBytes);
    fresh.filled = gm_.now();
    return fresh;
}

ScalarCache::Lines::iterator ScalarCache::drop(Lines::iterator entry, const char* api, Site site) {
    auto& [start, line] = *entry;
    if (anyDirty(line.dirty)) {
        gm_.writeBack(start, line.dirty.data(), lineBytes, line.filled, GmTouch{core_, PIPE_S, 0, 0, api, site});
        for (uint64_t i = 0; i < lineBytes; i++) {
            if (line.dirty[i] || wholeLines_) start[i] = line.bytes[i];
        }
    }
    return lines_.erase(entry);
}

}  // namespace emu
