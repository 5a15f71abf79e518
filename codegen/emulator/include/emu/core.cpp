// Checks and records of the instructions of a core.
#include "emu/core.h"

namespace emu {

void Core::report(Rule rule, const char* api, Site site, std::string message) {
    findings.add(rule, api, site, index, std::move(message));
}

void Core::barrier(pipe_t pipe, const char* within) {
    figures.barrier(pipe, within);
    clocks.barrier(pipe);
    if (pipe == PIPE_ALL) settle();
}

void Core::setFlag(HardEvent event, int64_t id, Site site) {
    figures.flag("SetFlag", event == HardEvent::MAX ? "MAX" : eventPair(event).name);
    events.set(event, id, site);
}

void Core::waitFlag(HardEvent event, int64_t id, Site site) {
    figures.flag("WaitFlag", event == HardEvent::MAX ? "MAX" : eventPair(event).name);
    events.wait(event, id, site);
    if (event != HardEvent::MAX && eventPair(event).to == PIPE_S) settle();
}

std::shared_ptr<const CoreCounts> Core::promise(pipe_t pipe) const {
    return std::make_shared<const CoreCounts>(clocks.tokenAcross(index, options.cores, pipe));
}

void Core::settle() {
    if (schedule != nullptr) schedule->runUntil(clocks.needs(PIPE_S));
}

void Core::settle(pipe_t pipe) {
    if (schedule != nullptr) schedule->runUntil(clocks.token(pipe).done);
}

void Core::loadGlobal(const char* api, Site site, const uint8_t* from, void* to, uint64_t bytes) {
    const GmTouch who{index, PIPE_S, number_, 0, api, site};
    gm_.checkFresh(from, bytes, cache.filledAt(from), who);
    cache.load(from, to, bytes);
}

/// Whether an instruction may execute later. Scalar ones do so at once, and those whose data decides what they touch,
/// as the checks of later instructions depend on them.
bool Core::defers(const Instruction& instruction) {
    bool later = instruction.pipe != PIPE_S || instruction.posted;
    for (const Operand& operand : instruction.operands) {
        later = later && operand.use != Use::mayRead && operand.use != Use::mayWrite;
    }
    if (!later) schedule->runUntil(needs_);
    return later;
}

void Core::finish() {
    if (schedule != nullptr) schedule->runAll();
    if (atomic.op != AtomicOp::none) {
        report(Rule::atomicLeft, "SetAtomic", atomic.site, "atomic writes are still on at the end of the kernel");
    }
    buffers.checkReleased();
    events.checkDrained();
    if (mask.counter) report(Rule::maskLeft, "SetMaskCount", lastSite_, "the kernel ends in Counter mode");
    if (cache.dirtyLines() == 0) return;
    report(Rule::gmDirtyCache, "SetValue", lastSite_,
           text("%zu cache lines written by scalar stores were not cleaned", cache.dirtyLines()));
    if (!options.strict) cache.cleanAll("SetValue", lastSite_);
}

bool Core::admit(Instruction& instruction) {
    lastSite_ = instruction.site;
    countInstruction(instruction);
    bool sound = true;
    for (Operand& operand : instruction.operands) sound = checkOperand(instruction, operand) && sound;
    for (GmOperand& operand : instruction.globals) sound = checkGlobal(instruction, operand) && sound;
    if (!sound) {
        excuse(instruction);
        return false;
    }
    checkOverlap(instruction);
    record(instruction);
    return true;
}

/// What an instruction that does not run would have written counts as written, so that one fault is found once.
void Core::excuse(const Instruction& instruction) {
    for (const Operand& operand : instruction.operands) {
        if (operand.use == Use::read || operand.use == Use::mayRead || operand.ref.owner != this) continue;
        if (operand.ref.buffer < 0) continue;
        const Buffer& buffer = buffers.buffer(operand.ref.buffer);
        for (const Run& run : operand.runs) {
            const Run inside{std::max(run.begin, buffer.begin), std::min(run.end, buffer.begin + buffer.bytes)};
            if (inside.begin < inside.end) shadow.define(inside);
        }
    }
    for (const GmOperand& operand : instruction.globals) {
        if (operand.use == Use::read) continue;
        for (const Run& run : operand.runs) {
            gm_.define(operand.start + static_cast<int64_t>(run.begin), run.end - run.begin);
        }
    }
}

void Core::countInstruction(const Instruction& instruction) {
    if (options.maxInstructions == 0 || ++issued_ <= options.maxInstructions) return;
    report(Rule::budget, instruction.api, instruction.site,
           text("the core has issued %llu instructions", (unsigned long long)options.maxInstructions));
    throw CoreAbort{};
}

bool Core::checkOperand(const Instruction& instruction, Operand& operand) {
    if (!checkTensor(instruction, operand)) return false;
    if (operand.strided) {
        checkSpread(instruction, operand);
        appendShape(operand.runs, instruction.shape, operand.ref.address, operand.strides, operand.elementBytes);
    }
    if (operand.ref.address % operand.alignment != 0) {
        report(Rule::ubAlignment, instruction.api, instruction.site,
               text("%s starts at UB byte %llu, which is not a multiple of %llu", operand.name,
                    (unsigned long long)operand.ref.address, (unsigned long long)operand.alignment));
        return false;
    }
    return checkExtent(instruction, operand);
}

/// Blocks of a destination at the distance 0 fall upon each other, and the documentation leaves open what that gives.
void Core::checkSpread(const Instruction& instruction, const Operand& operand) {
    if (operand.use != Use::write || operand.strides.block != 0 || instruction.shape.repeats == 0) return;
    const uint32_t lanes = (instruction.shape.mask | instruction.shape.last).bound();
    if (uint64_t{lanes} * operand.elementBytes <= chip::blockBytes) return;
    report(Rule::repeatRange, instruction.api, instruction.site,
           text("the block stride of %s is 0: the blocks of a repeat fall upon each other", operand.name));
}

bool Core::checkTensor(const Instruction& instruction, const Operand& operand) {
    const LocalRef& ref = operand.ref;
    if (ref.owner != this || ref.buffer < 0) {
        report(Rule::tensorInvalid, instruction.api, instruction.site,
               text("%s is not a tensor of this core's buffers", operand.name));
        return false;
    }
    const Buffer& buffer = buffers.buffer(ref.buffer);
    if (!buffer.alive) {
        report(Rule::tensorInvalid, instruction.api, instruction.site,
               text("%s lies in a buffer that was given back", operand.name));
        return false;
    }
    if (buffer.queue < 0) return true;
    const bool usable = buffer.state == BufferState::occupied || buffer.state == BufferState::dequeued;
    if (usable && buffer.generation == ref.generation) return true;
    const bool stale = buffer.generation != ref.generation;
    report(Rule::tensorState, instruction.api, instruction.site,
           stale ? text("%s is used after FreeTensor", operand.name)
                 : text("%s is used while it is %s", operand.name, stateName(buffer.state)));
    return true;
}

bool Core::checkExtent(const Instruction& instruction, const Operand& operand) {
    const Buffer& buffer = buffers.buffer(operand.ref.buffer);
    const uint64_t view = operand.ref.address + operand.ref.bytes;
    const uint64_t limit = std::min(roundToBlock(view), buffer.begin + buffer.bytes);
    for (const Run& run : operand.runs) {
        if (run.begin >= operand.ref.address && run.end <= limit) continue;
        report(Rule::ubExtent, instruction.api, instruction.site,
               text("%s touches bytes [%lld, %lld) of a tensor of %llu bytes", operand.name,
                    (long long)(run.begin - operand.ref.address), (long long)(run.end - operand.ref.address),
                    (unsigned long long)(limit - operand.ref.address)));
        return false;
    }
    return true;
}

bool Core::checkGlobal(const Instruction& instruction, const GmOperand& operand) {
    const Region* region = gm_.find(operand.start);
    for (const Run& run : operand.runs) {
        if (run.begin == run.end) continue;
        const uint8_t* first = operand.start + static_cast<int64_t>(run.begin);
        const uint8_t* last = operand.start + static_cast<int64_t>(run.end) - 1;
        const Region* here = region != nullptr ? region : gm_.find(first);
        if (here == nullptr || !here->contains(first) || !here->contains(last)) {
            reportStray(instruction, first, last);
            return false;
        }
        if (operand.use != Use::read && here->role == Role::input) {
            report(Rule::gmWriteInput, instruction.api, instruction.site, text("writes the input %s", here->name));
            return false;
        }
        if (operand.declaredEnd != nullptr && last >= operand.declaredEnd) {
            report(Rule::gmDeclaredSize, instruction.api, instruction.site,
                   text("touches %lld bytes past the declared size of a tensor in %s",
                        (long long)(last + 1 - operand.declaredEnd), here->name));
        }
    }
    return checkGlobalAlignment(instruction, operand);
}

bool Core::checkGlobalAlignment(const Instruction& instruction, const GmOperand& operand) {
    const auto address = reinterpret_cast<uintptr_t>(operand.start);
    if (operand.alignment < 2 || address % operand.alignment == 0) return true;
    report(Rule::gmAlignment, instruction.api, instruction.site,
           text("the GM address is not a multiple of %llu bytes", (unsigned long long)operand.alignment));
    return true;
}

void Core::reportStray(const Instruction& instruction, const uint8_t* first, const uint8_t* last) {
    const Region* near = gm_.nearest(first);
    if (near == nullptr) {
        report(Rule::gmBounds, instruction.api, instruction.site, "the GM address belongs to no argument");
        return;
    }
    report(Rule::gmBounds, instruction.api, instruction.site,
           text("touches bytes [%lld, %lld) of %s, which has %llu bytes", (long long)(first - near->base),
                (long long)(last + 1 - near->base), near->name, (unsigned long long)near->bytes));
}

void Core::checkOverlap(const Instruction& instruction) {
    const bool ruled = instruction.overlap == Overlap::forbidden ||
                       (!instruction.operands.empty() && instruction.operands[0].strided);
    if (!ruled) return;
    for (size_t i = 1; i < instruction.operands.size(); i++) {
        if (instruction.operands[i].anyOverlap) continue;
        const OverlapCheck check(instruction.shape, instruction.overlap, instruction.operands[0],
                                 instruction.operands[i], i == 2);
        if (const auto fault = check.fault()) {
            report(Rule::ubOverlap, instruction.api, instruction.site, *fault);
        }
    }
}

void Core::record(const Instruction& instruction) {
    const uint64_t races = findings.races();
    needs_ = clocks.needs(instruction.pipe);
    number_ = clocks.start(instruction.pipe);
    figures.count(instruction, clocks, buffers.calls());
    const Toucher who{instruction.pipe, Touch{number_, instruction.api, instruction.site}, index};
    for (const Operand& operand : instruction.operands) {
        if (operand.use == Use::read || operand.use == Use::mayRead) continue;
        for (const Run& run : operand.runs) shadow.checkWrite(run, who);
    }
    for (Use use : {Use::read, Use::mayRead, Use::write, Use::mayWrite, Use::clobber}) {
        recordLocal(instruction, who, use);
    }
    const GmTouch global{index, instruction.pipe, number_, gm_.nextStamp(), instruction.api, instruction.site};
    for (const GmOperand& operand : instruction.globals) recordGlobal(operand, global);
    const bool overtakes = findings.races() != races;
    if (!overtakes) needs_[instruction.pipe] = number_ - 1;
}

void Core::recordLocal(const Instruction& instruction, const Toucher& who, Use use) {
    for (const Operand& operand : instruction.operands) {
        if (operand.use != use) continue;
        for (const Run& run : operand.runs) {
            switch (use) {
                case Use::read: shadow.read(run, who, operand.name); break;
                case Use::mayRead: shadow.mayRead(run, who); break;
                case Use::mayWrite: shadow.mayWrite(run, who); break;
                default: shadow.write(run, who, use == Use::write);
            }
        }
    }
}

void Core::recordGlobal(const GmOperand& operand, const GmTouch& who) {
    for (const Run& run : operand.runs) {
        if (run.begin == run.end) continue;
        Region& region = *gm_.find(operand.start + static_cast<int64_t>(run.begin));
        const auto offset = static_cast<uint64_t>(operand.start - region.base);
        const Run absolute{offset + run.begin, offset + run.end};
        if (operand.use == Use::read) {
            gm_.read(region, absolute, who, clocks);
        } else {
            gm_.write(region, absolute, who, clocks, operand.how);
        }
    }
}

}  // namespace emu
