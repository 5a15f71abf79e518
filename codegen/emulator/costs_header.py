"""Write the chip's estimates of time as the header that the emulator's C++ code reads them from."""

from ...passes.chips import Chip
from ...passes.costs import CopyCost, Costs, VectorCost

COSTS_NAME = "opwright_costs.h"


def costs_header(chip: Chip) -> str:
    """Return the text of `opwright_costs.h` for a chip that has costs; times become cycles.

    Raises:
        ValueError: the chip has none.
    """
    costs = chip.costs
    if costs is None:
        raise ValueError(f"{chip.name} has no costs")
    numbers = "".join(f"inline constexpr double {name} = {value!r};\n" for name, value in _numbers(costs).items())
    copies = "".join(
        f"inline constexpr CopyCost {name}{_copy(cost)};\n"
        for name, cost in (("copyIn", costs.copy_in), ("copyOut", costs.copy_out))
    )
    rows = ",\n".join(f"    {_vector(api, cost)}" for api, cost in sorted(costs.vector.items()))
    other = f"inline constexpr VectorCost otherVector{_vector('', costs.other_vector)};\n"
    table = f"inline constexpr VectorCost vector[] = {{\n{rows}}};\n"
    burst = f"inline constexpr uint64_t burstBytes = {costs.burst_bytes};\n"
    body = f"{numbers}{burst}{copies}{other}{table}"
    return f'#pragma once\n#include "emu/costs.h"\nnamespace emu::costs {{\n{body}}}\n'


def _numbers(costs: Costs) -> dict[str, float]:
    return {
        "sharedRate": float(costs.gm_bytes_per_us / costs.clock_mhz),
        "dispatch": float(costs.dispatch),
        "scalarLocal": float(costs.scalar_local),
        "scalarGlobal": float(costs.scalar_global),
        "handOver": float(costs.hand_over),
        "fullBarrier": float(costs.full_barrier),
        "queueCall": float(costs.queue_call),
        "setup": float(costs.setup_us * costs.clock_mhz),
        "tiling": float(costs.tiling_us * costs.clock_mhz),
        "syncCores": float(costs.sync_us * costs.clock_mhz),
    }


def _copy(cost: CopyCost) -> str:
    return f"{{{cost.floor}, {cost.rate}, {cost.latency}}}"


def _vector(api: str, cost: VectorCost) -> str:
    return f'{{"{api}", {cost.narrow}, {cost.wide}, {cost.floor}, {cost.latency}}}'
