#include "objects.h"

namespace opwright {

Objects &Objects::all() {
    static Objects &objects = *new Objects;  // never destroyed: streams may outlive main
    return objects;
}

void Objects::keep(const void *handle, std::shared_ptr<Object> object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    alive_.emplace(handle, std::move(object));
}

bool Objects::bury(const void *handle) {
    std::shared_ptr<Object> oldest;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = alive_.find(handle);
    if (found == alive_.end()) return false;
    deadByHandle_[handle] = found->second.get();
    dead_.push_back(std::move(found->second));
    alive_.erase(found);
    if (dead_.size() > remembered) {
        oldest = std::move(dead_.front());
        dead_.pop_front();
        deadByHandle_.erase(dynamic_cast<const void *>(oldest.get()));
    }
    return true;
}

std::shared_ptr<Object> Objects::lookUp(const void *handle, const Wanted &wanted) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = alive_.find(handle);
    if (found != alive_.end()) return found->second;
    const std::string what = std::string("'") + wanted.parameter + "' is " + address(handle);
    auto dead = deadByHandle_.find(handle);
    if (dead != deadByHandle_.end()) {
        refuse(wanted.code, what + ", an " + dead->second->kind() + " that " + dead->second->fate());
    }
    refuse(wanted.code, what + ", which is no " + wanted.kind + "; it must be one that was created and still exists");
}

void Objects::refuseKind(const void *handle, const Wanted &wanted) const {
    const std::string what = std::string("'") + wanted.parameter + "' is " + address(handle);
    refuse(wanted.code, what + ", another object than an " + wanted.kind);
}

std::map<std::string, size_t> Objects::census() const {
    std::map<std::string, size_t> count;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &entry : alive_) count[entry.second->kind()]++;
    return count;
}

}  // namespace opwright
