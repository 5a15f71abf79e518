"""Write the chip's facts as the header that the emulator's C++ code reads them from."""

from ...passes.chips import Chip

HEADER_NAME = "opwright_chip.h"


def chip_header(chip: Chip) -> str:
    """Return the text of `opwright_chip.h` for a chip: sizes in bytes, limits, and the vector dtype table."""
    facts = {
        "npuArch": chip.npu_arch,
        "ubBytes": chip.ub_bytes,
        "blockBytes": chip.block_bytes,
        "repeatBytes": chip.repeat_bytes,
        "maxRepeat": chip.max_repeat,
        "maxBlockCount": chip.max_block_count,
        "maxBlockBytes": chip.max_block_bytes,
        "maxGapBytes": chip.max_gap_bytes,
        "maxEvents": chip.max_events,
    }
    constants = (f"inline constexpr int64_t {name} = {value};" for name, value in facts.items())
    barrier = f"inline constexpr bool vectorBarrier = {str(chip.vector_barrier).lower()};"
    rows = ",\n".join(_rows(chip))
    table = f"inline constexpr LegalDtypes legalDtypes[] = {{\n{rows}}};"
    body = "\n".join((*constants, barrier))
    return f'#pragma once\n#include "emu/legal_dtypes.h"\nnamespace emu::chip {{\n{body}\n{table}\n}}\n'


def _rows(chip: Chip) -> list[str]:
    """Return one initialiser a legal combination, in a fixed order."""
    rows: list[str] = []
    for api in sorted(chip.vector_dtypes):
        for dtypes in sorted(chip.vector_dtypes[api]):
            names = ", ".join(f"DType::{name}" for name in dtypes)
            rows.append(f'    {{"{api}", signature({names})}}')
    return rows or ['    {"", 0}']
