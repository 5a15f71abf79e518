// Counting and describing what the cores of a run did.
#include "emu/figures.h"

#include <cstring>

#include "opwright_costs.h"

namespace emu {

namespace {

constexpr const char* pathNames[pathCount] = {"GM->UB", "UB->GM", "UB->UB", "scalar GM read", "scalar GM write", "tiling"};

template <typename Operands>
uint64_t bytesOf(const Operands& operands, bool reads) {
    uint64_t total = 0;
    for (const auto& operand : operands) {
        if ((operand.use == Use::read) != reads) continue;
        for (const Run& run : operand.runs) total += run.end - run.begin;
    }
    return total;
}

bool isTiling(const char* api) { return std::strstr(api, "TILING") != nullptr; }

bool isCopy(const Instruction& instruction) {
    return std::strstr(instruction.api, "Copy") != nullptr;
}

/// Repeats of an instruction; one whose operands are no strided vectors counts by its longest operand.
uint64_t repeatsOf(const Instruction& instruction) {
    if (instruction.shape.repeats > 0) return instruction.shape.repeats;
    const uint64_t bytes = std::max(bytesOf(instruction.operands, true), bytesOf(instruction.operands, false));
    return (bytes + chip::repeatBytes - 1) / chip::repeatBytes;
}

const VectorCost& costOf(const char* api) {
    for (const VectorCost& cost : costs::vector) {
        if (cost.api == api) return cost;
    }
    return costs::otherVector;
}

template <typename... Fields>
void record(std::string& out, const Fields&... fields) {
    bool first = true;
    ((out += first ? "" : "\x1f", out += fields, first = false), ...);
    out += '\x1e';
}

std::string number(double value) { return text("%.1f", value); }

}  // namespace

void CoreFigures::count(const Instruction& instruction, const Clocks& clocks, uint64_t queueCalls) {
    ApiFigures& api = of(instruction);
    const Duration duration = durationOf(instruction, api);
    api.instructions++;
    api.repeats += instruction.shape.repeats;
    api.cycles += duration.busy;
    countBytes(instruction);
    calls_ += static_cast<double>(queueCalls - queueCalls_) * costs::queueCall;
    queueCalls_ = queueCalls;
    const Span span = times_.of(core_).place(instruction, duration, calls_, clocks, times_);
    calls_ = 0;
    if (trace_) spans_.push_back(span);
}

void CoreFigures::barrier(pipe_t pipe, const char* within) {
    const std::string suffix = within == nullptr ? "" : text(" (%s)", within);
    syncs_[std::string("PipeBarrier ") + pipeName(pipe) + suffix]++;
    calls_ += pipe == PIPE_ALL ? costs::fullBarrier : costs::dispatch;
}

void CoreFigures::flag(const char* what, const char* event) {
    syncs_[std::string(what) + ' ' + event]++;
    calls_ += costs::dispatch;
}

ApiFigures& CoreFigures::of(const Instruction& instruction) {
    for (ApiFigures& known : apis_) {
        if (known.api == instruction.api && known.pipe == instruction.pipe) return known;
    }
    return apis_.emplace_back(ApiFigures{instruction.api, instruction.pipe, &costOf(instruction.api)});
}

void CoreFigures::countBytes(const Instruction& instruction) {
    const uint64_t read = bytesOf(instruction.globals, true);
    const uint64_t written = bytesOf(instruction.globals, false);
    const bool scalar = instruction.pipe == PIPE_S;
    const Path from = !scalar ? Path::gmToUb : isTiling(instruction.api) ? Path::tiling : Path::scalarRead;
    bytes_[static_cast<size_t>(from)] += read;
    bytes_[static_cast<size_t>(scalar ? Path::scalarWrite : Path::ubToGm)] += written;
    if (instruction.globals.empty() && isCopy(instruction)) {
        bytes_[static_cast<size_t>(Path::ubToUb)] += bytesOf(instruction.operands, false);
    }
}

Duration CoreFigures::durationOf(const Instruction& instruction, const ApiFigures& api) const {
    if (instruction.pipe == PIPE_S) return scalarDuration(instruction);
    if (instruction.pipe != PIPE_V) return copyDuration(instruction);
    uint32_t widest = 1;
    for (const Operand& operand : instruction.operands) widest = std::max(widest, operand.elementBytes);
    const double each = widest > 2 ? api.cost->wide : api.cost->narrow;
    return Duration{std::max(api.cost->floor, each * static_cast<double>(repeatsOf(instruction))), api.cost->latency};
}

Duration CoreFigures::scalarDuration(const Instruction& instruction) const {
    if (isTiling(instruction.api)) return Duration{costs::tiling, 0.0};
    return Duration{instruction.globals.empty() ? costs::scalarLocal : costs::scalarGlobal, 0.0};
}

Duration CoreFigures::copyDuration(const Instruction& instruction) const {
    const CopyCost& cost = instruction.pipe == PIPE_MTE2 ? costs::copyIn : costs::copyOut;
    uint64_t bytes = 0;
    for (const GmOperand& operand : instruction.globals) {
        for (const Run& run : operand.runs) bytes += std::max<uint64_t>(run.end - run.begin, costs::burstBytes);
    }
    const double rate = std::min(cost.rate, costs::sharedRate / cores_);
    return Duration{std::max(cost.floor, static_cast<double>(bytes) / rate), cost.latency};
}

void CoreFigures::describe(std::string& out) const {
    const std::string core = std::to_string(core_);
    record(out, "core", core, std::to_string(ubPeak_), number(times_.of(core_).end()));
    for (size_t path = 0; path < bytes_.size(); path++) {
        record(out, "path", core, pathNames[path], std::to_string(bytes_[path]));
    }
    for (const ApiFigures& api : apis_) {
        record(out, "api", core, pipeName(api.pipe), api.api, std::to_string(api.instructions),
               std::to_string(api.repeats), number(api.cycles));
    }
    for (const auto& [what, times] : syncs_) record(out, "sync", core, what, std::to_string(times));
    for (const Span& span : spans_) {
        record(out, "span", core, pipeName(span.pipe), span.api, span.site.file, std::to_string(span.site.line),
               number(span.begin), number(span.duration));
    }
}

std::string Figures::describe() const {
    std::string out;
    for (const auto& core : list_) core->describe(out);
    return out;
}

}  // namespace emu
