// Accesses of vector functions to the unified buffer.
#include "reg/vf.h"

namespace emu::reg {

void VectorFunction::begin(const Call& call, uint32_t number, bool silent) {
    if (open()) {
        report(Rule::vfCall, call, "a vector function is called inside of another");
        scopes_++;
        return;
    }
    core_ = Core::running;
    index_ = core_->index;
    scopes_ = 1;
    registers_ = 0;
    silent_ = silent;
    direct_ = false;
    number_ = number;
    squeezed = Squeezed{};
    unaligned = 0;
    if (!silent) order_.start();
}

void awaitNeeds(Core& core) {
    if (core.schedule != nullptr) core.schedule->runUntil(core.clocks.needs(PIPE_V));
}

void VectorFunction::enterDirect(const Call& call) {
    Core& core = Core::current();
    awaitNeeds(core);
    Instruction instruction{"__simd_vf__", PIPE_V, call.site};
    core.issue(instruction, [] {});
    begin(call, core.clocks.issued()[PIPE_V], false);
    direct_ = true;
}

bool VectorFunction::locate(const Call& call, const void* pointer, uint64_t before, uint64_t bytes, uint64_t alignment,
                            UbPlace& place) {
    place = core_->memory.place(pointer);
    const uint64_t address = place.address;
    if (address >= chip::ubBytes || before > address || address + bytes > chip::ubBytes) {
        report(Rule::ubExtent, call,
               text("touches bytes [%lld, %lld) of a unified buffer of %lld bytes", (long long)(address - before),
                    (long long)(address + bytes), (long long)chip::ubBytes));
        return false;
    }
    if (address % alignment != 0) {
        report(Rule::ubAlignment, call,
               text("UB byte %llu is not a multiple of %llu", (unsigned long long)address,
                    (unsigned long long)alignment));
        return false;
    }
    return true;
}

/// The buffer that a place belongs to, null and a finding if it may not be used.
const Buffer* VectorFunction::bufferOf(const Call& call, const UbPlace& place) {
    const int index = place.buffer >= 0 ? place.buffer : core_->buffers.find(place.address);
    if (index < 0) {
        report(Rule::tensorInvalid, call, text("UB byte %llu lies in no buffer", (unsigned long long)place.address));
        return nullptr;
    }
    const Buffer& buffer = core_->buffers.buffer(index);
    if (!buffer.alive) {
        report(Rule::tensorInvalid, call,
               text("UB byte %llu lies in a buffer that was given back", (unsigned long long)place.address));
        return nullptr;
    }
    if (buffer.queue >= 0 && buffer.state != BufferState::occupied && buffer.state != BufferState::dequeued) {
        report(Rule::tensorState, call, text("the buffer is used while it is %s", stateName(buffer.state)));
    }
    return &buffer;
}

void VectorFunction::reportStray(const Call& call, const char* verb, const Run& run, const Buffer& buffer) {
    report(Rule::ubExtent, call,
           text("%s UB bytes [%llu, %llu) through a pointer into the buffer [%llu, %llu)", verb,
                (unsigned long long)run.begin, (unsigned long long)run.end, (unsigned long long)buffer.begin,
                (unsigned long long)(buffer.begin + buffer.bytes)));
}

void VectorFunction::checkOrder(const Call& call, const std::optional<Exchange>& exchange) {
    if (!exchange) return;
    report(Rule::vfOrder, call,
           text("%s: UB byte %llu was used by %s (%s:%d) before, through another register and without a LocalMemBar",
                exchange->kind, (unsigned long long)exchange->byte, exchange->earlier.api, exchange->earlier.site.file,
                exchange->earlier.site.line));
}

void VectorFunction::markHoles(const Call& call, const Run& run, uint64_t bytes, bool* known) {
    const std::vector<Run> holes = core_->shadow.holes(run);
    if (holes.size() == 1 && holes[0].begin == run.begin && holes[0].end == run.end) {
        report(Rule::ubUninitialized, call,
               text("reads UB bytes [%llu, %llu) that nothing has written", (unsigned long long)run.begin,
                    (unsigned long long)run.end));
        return;
    }
    for (const Run& hole : holes) std::fill(known + (hole.begin - run.begin), known + (hole.end - run.begin), false);
    std::fill(known + (run.end - run.begin), known + bytes, false);
}

uint32_t VectorFunction::load(const Call& call, const UbPlace& place, uint64_t bytes, uint32_t reg, uint8_t* to,
                              bool* known) {
    std::memcpy(to, core_->ub + place.address, bytes);
    std::fill(known, known + bytes, true);
    if (silent_) return 0;
    const uint32_t number = order_.next(call);
    const Buffer* buffer = bufferOf(call, place);
    if (buffer == nullptr) return number;
    const uint64_t end = buffer->begin + buffer->bytes;
    if (place.address < buffer->begin || place.address >= end) {
        reportStray(call, "reads", Run{place.address, place.address + bytes}, *buffer);
        return number;
    }
    const Run run{place.address, std::min(place.address + bytes, end)};
    core_->shadow.mayRead(run, toucher(call));
    markHoles(call, run, bytes, known);
    checkOrder(call, order_.load(run, number, reg));
    return number;
}

void VectorFunction::storeRun(const Call& call, uint32_t number, int buffer, const Run& run, uint32_t reg,
                              const Lineage& lineage, const uint8_t* from) {
    if (!silent_) {
        const Buffer* owner = bufferOf(call, UbPlace{run.begin, buffer});
        if (owner != nullptr && (run.begin < owner->begin || run.end > owner->begin + owner->bytes)) {
            reportStray(call, "writes", run, *owner);
            return;
        }
        core_->shadow.checkWrite(run, toucher(call));
        core_->shadow.write(run, toucher(call), true);
        checkOrder(call, order_.store(run, number, reg, lineage));
    }
    std::memcpy(core_->ub + run.begin, from, run.end - run.begin);
}

}  // namespace emu::reg
