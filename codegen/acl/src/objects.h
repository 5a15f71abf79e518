// Everything that a program holds by a handle: which handles live, which were destroyed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "error.h"

namespace opwright {

/// Something that a program holds a handle of.
struct Object {
    Object() = default;
    Object(const Object &) = delete;
    Object &operator=(const Object &) = delete;
    virtual ~Object() = default;

    /// The name of its type in the API.
    virtual const char *kind() const = 0;

    /// What became of it where its handle is no longer good.
    virtual const char *fate() const { return "was destroyed before"; }
};

/// What an API function says of a handle that is not what it takes.
struct Wanted {
    const char *kind;
    const char *parameter;
    int code;
};

/// All objects. Destroyed ones stay in memory for a while, so that their handles are not given out again at once.
class Objects {
public:
    static Objects &all();

    /// Takes an object over, and returns its handle.
    template <typename T>
    T *add(std::shared_ptr<T> object) {
        T *handle = object.get();
        keep(handle, std::move(object));
        return handle;
    }

    /// Returns the object of a handle; refuses one that is not alive, or is another kind of object.
    template <typename T>
    std::shared_ptr<T> find(const void *handle, const Wanted &wanted) {
        auto found = std::dynamic_pointer_cast<T>(lookUp(handle, wanted));
        if (found == nullptr) refuseKind(handle, wanted);
        return found;
    }

    /// Takes an object out, and returns it; refuses as `find` does.
    template <typename T>
    std::shared_ptr<T> remove(const void *handle, const Wanted &wanted) {
        auto found = find<T>(handle, wanted);
        if (!bury(handle)) lookUp(handle, wanted);
        return found;
    }

    /// The number of living objects of each kind.
    std::map<std::string, size_t> census() const;

private:
    static constexpr size_t remembered = 4096;

    void keep(const void *handle, std::shared_ptr<Object> object);
    bool bury(const void *handle);
    std::shared_ptr<Object> lookUp(const void *handle, const Wanted &wanted) const;
    [[noreturn]] void refuseKind(const void *handle, const Wanted &wanted) const;

    mutable std::mutex mutex_;
    std::unordered_map<const void *, std::shared_ptr<Object>> alive_;
    std::deque<std::shared_ptr<Object>> dead_;
    std::unordered_map<const void *, const Object *> deadByHandle_;
};

}  // namespace opwright
