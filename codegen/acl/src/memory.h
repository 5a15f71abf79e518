// Device memory and pinned host memory: what is reserved, and whether an access lies within.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "error.h"

namespace opwright {

enum class Place { device, host };

/// A piece of reserved memory. Tasks that use it keep it, so that a program that frees it early does no harm.
struct Block {
    Block(size_t bytes, Place where);
    ~Block();
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

    uint8_t *start;
    size_t bytes;
    Place where;
};

/// Whether and how an address belongs to reserved memory.
struct Found {
    std::shared_ptr<Block> block;
    size_t offset = 0;

    size_t room() const { return block->bytes - offset; }
};

/// All reserved memory.
class Memory {
public:
    static Memory &all();

    void *reserve(size_t bytes, Place where);
    void release(void *pointer, Place where);

    /// The block that holds an address, if any.
    Found find(const void *pointer) const;

    /// Whether the block is still reserved.
    bool lives(const Block &block) const;

    /// What is known of an address that belongs to no block: " (freed before)", or nothing.
    std::string past(const void *pointer) const;

    size_t bytesIn(Place where) const;
    size_t blocksIn(Place where) const;

private:
    static constexpr size_t remembered = 4096;

    void forget(uintptr_t start, size_t bytes);

    mutable std::mutex mutex_;
    std::map<uintptr_t, std::shared_ptr<Block>> alive_;
    std::map<uintptr_t, size_t> freed_;
};

/// Refuses unless `count` bytes from `pointer` on lie in one piece of device memory; returns where.
Found deviceRange(const char *parameter, const void *pointer, size_t count, int code);

/// Refuses a range on the host that leaves pinned memory, or is device memory.
void hostRange(const char *parameter, const void *pointer, size_t count);

}  // namespace opwright
