"""Write the chip's facts as the header that the emulator's C++ code reads them from."""

from collections.abc import Mapping

from ...passes.api_rows import DTypes
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
        "maxWideStride": chip.max_wide_stride,
        "maxBlockCount": chip.max_block_count,
        "maxBlockBytes": chip.max_block_bytes,
        "maxGapBytes": chip.max_gap_bytes,
        "maxEvents": chip.max_events,
    }
    constants = (f"inline constexpr int64_t {name} = {value};" for name, value in facts.items())
    flags = {
        "vectorBarrier": chip.vector_barrier,
        "registerBased": chip.register_based,
        "crossWaitStopsAll": chip.cross_wait_stops_all,
    }
    switches = (f"inline constexpr bool {name} = {str(value).lower()};" for name, value in flags.items())
    calls = {api: chip.vector_dtypes.get(api, frozenset()) | rows for api, rows in chip.library_dtypes.items()}
    tables = (
        _table("legalDtypes", {**chip.vector_dtypes, **calls}),
        _table("legalRegisterDtypes", chip.register_dtypes),
    )
    body = "\n".join((*constants, *switches, *tables))
    level = ("EMU_REGISTER_LEVEL",) if chip.register_dtypes else ()
    defined = (f"__NPU_ARCH__={chip.npu_arch}", *chip.macros, *level)
    macros = "".join(f"#define {macro.replace('=', ' ')}\n" for macro in defined)
    return f'#pragma once\n{macros}#include "emu/legal_dtypes.h"\nnamespace emu::chip {{\n{body}\n}}\n'


def _table(name: str, dtypes: Mapping[str, DTypes]) -> str:
    """Return an array with one initialiser a legal combination, in a fixed order."""
    rows: list[str] = []
    for api in sorted(dtypes):
        for operands in sorted(dtypes[api]):
            types = ", ".join(f"DType::{dtype}" for dtype in operands)
            rows.append(f'    {{"{api}", signature({types})}}')
    listed = ",\n".join(rows or ['    {"", 0}'])
    return f"inline constexpr LegalDtypes {name}[] = {{\n{listed}}};"
