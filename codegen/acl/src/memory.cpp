#include "memory.h"

#include <cstdlib>

namespace opwright {

namespace {

constexpr size_t alignment = 64;
constexpr size_t grain = 32;

uintptr_t number(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

const char *name(Place where) { return where == Place::device ? "device" : "host"; }

}  // namespace

Block::Block(size_t size, Place place) : start(nullptr), bytes(size), where(place) {
    const size_t padded = (size + grain - 1) / grain * grain + grain;
    if (padded < size) throw std::bad_alloc();
    void *memory = nullptr;
    if (posix_memalign(&memory, alignment, padded) != 0) throw std::bad_alloc();
    start = static_cast<uint8_t *>(memory);
}

Block::~Block() { std::free(start); }

Memory &Memory::all() {
    static Memory &memory = *new Memory;  // never destroyed: streams may outlive main
    return memory;
}

void *Memory::reserve(size_t bytes, Place where) {
    auto block = std::make_shared<Block>(bytes, where);
    void *start = block->start;
    const std::lock_guard<std::mutex> lock(mutex_);
    forget(number(start), bytes);
    alive_.emplace(number(start), std::move(block));
    return start;
}

void Memory::release(void *pointer, Place where) {
    std::shared_ptr<Block> gone;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = alive_.find(number(pointer));
    if (found == alive_.end() || found->second->where != where) {
        const bool before = freed_.count(number(pointer)) != 0;
        const std::string why = before ? "was freed before" : std::string("is not the start of reserved ") +
                                                                  name(where) + " memory";
        refuse(ACL_ERROR_RT_PARAM_INVALID, address(pointer) + " " + why);
    }
    if (freed_.size() >= remembered) freed_.erase(freed_.begin());
    freed_[found->first] = found->second->bytes;
    gone = std::move(found->second);
    alive_.erase(found);
}

void Memory::forget(uintptr_t start, size_t bytes) {
    auto next = freed_.upper_bound(start);
    if (next != freed_.begin() && std::prev(next)->first + std::prev(next)->second > start) --next;
    while (next != freed_.end() && next->first < start + bytes) next = freed_.erase(next);
}

Found Memory::find(const void *pointer) const {
    const uintptr_t wanted = number(pointer);
    const std::lock_guard<std::mutex> lock(mutex_);
    auto next = alive_.upper_bound(wanted);
    if (next == alive_.begin()) return {};
    const std::shared_ptr<Block> &block = std::prev(next)->second;
    const size_t offset = wanted - number(block->start);
    return offset < block->bytes ? Found{block, offset} : Found{};
}

bool Memory::lives(const Block &block) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = alive_.find(number(block.start));
    return found != alive_.end() && found->second.get() == &block;
}

std::string Memory::past(const void *pointer) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto next = freed_.upper_bound(number(pointer));
    if (next == freed_.begin()) return "";
    --next;
    return number(pointer) < next->first + next->second ? ", which was freed" : "";
}

size_t Memory::bytesIn(Place where) const {
    size_t total = 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &entry : alive_) total += entry.second->where == where ? entry.second->bytes : 0;
    return total;
}

size_t Memory::blocksIn(Place where) const {
    size_t total = 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &entry : alive_) total += entry.second->where == where ? 1 : 0;
    return total;
}

namespace {

std::string beyond(const char *parameter, const void *pointer, size_t count, const Found &found) {
    return std::string("'") + parameter + "' is " + address(pointer) + " with " + std::to_string(found.room()) +
           " bytes of reserved " + name(found.block->where) + " memory behind it; " + std::to_string(count) +
           " bytes are needed";
}

}  // namespace

Found deviceRange(const char *parameter, const void *pointer, size_t count, int code) {
    const Found found = Memory::all().find(pointer);
    if (found.block == nullptr || found.block->where != Place::device) {
        const std::string past = Memory::all().past(pointer);
        refuse(code, std::string("'") + parameter + "' is " + address(pointer) + past + "; it must be device memory");
    }
    if (found.room() < count) refuse(code, beyond(parameter, pointer, count, found));
    return found;
}

void hostRange(const char *parameter, const void *pointer, size_t count) {
    const Found found = Memory::all().find(pointer);
    if (found.block == nullptr) return;
    if (found.block->where == Place::device) {
        refuse(ACL_ERROR_RT_PARAM_INVALID,
               std::string("'") + parameter + "' is " + address(pointer) + ", device memory; it must be host memory");
    }
    if (found.room() < count) refuse(ACL_ERROR_RT_PARAM_INVALID, beyond(parameter, pointer, count, found));
}

}  // namespace opwright
