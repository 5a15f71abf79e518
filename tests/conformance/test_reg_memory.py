"""Loads, stores, masks and rearrangement of the register level against NumPy."""

from collections.abc import Callable

import numpy as np
import pytest
from harness import Array, Suite, same_bits
from reg_support import CHIP, PRELUDE, Bits, active, mask_bits, packed

WIDTH = {"B8": 1, "B16": 2, "B32": 4, "B64": 8}
LOADS = (
    *("NORM", "BRC_B8", "BRC_B16", "BRC_B32", "US_B8", "US_B16", "DS_B8", "DS_B16", "UNPACK_B8", "UNPACK_B16"),
    *("UNPACK_B32", "UNPACK4_B8", "BLK", "E2B_B16", "E2B_B32"),
)
STORES = (
    *("NORM_B8", "NORM_B16", "NORM_B32", "FIRST_ELEMENT_B8", "FIRST_ELEMENT_B16", "FIRST_ELEMENT_B32"),
    *("PACK_B16", "PACK_B32", "PACK4_B32"),
)
PAIRS = ("B8", "B16", "B32")
PATTERNS: dict[str, Callable[[Array, int], Bits]] = {
    "ALL": lambda i, _: i >= 0,
    "ALLF": lambda i, _: i < 0,
    "VL3": lambda i, _: i < 3,
    "VL16": lambda i, _: i < 16,
    "VL128": lambda i, _: i < 128,
    "M3": lambda i, _: i % 3 == 0,
    "M4": lambda i, _: i % 4 == 0,
    "H": lambda i, n: i < n // 2,
    "Q": lambda i, n: i < n // 4,
}
MASKS: dict[str, str] = {
    "And": "Reg::And(q, m, n, k)",
    "Or": "Reg::MaskOr(q, m, n, k)",
    "Xor": "Reg::Xor(q, m, n, k)",
    "Not": "Reg::Not(q, m, k)",
    "Move": "Reg::Move(q, m, k)",
    "Select": "Reg::Select(q, m, n, k)",
    "Pack": "Reg::Pack<Reg::HighLowPart::HIGHEST>(q, m)",
    "UnPack": "Reg::MaskUnPack<Reg::HighLowPart::HIGHEST>(q, m)",
    "Interleave": "Reg::Interleave<uint16_t>(q, k, m, n)",
    "DeInterleave": "Reg::DeInterleave<uint32_t>(k, q, m, n)",
    "US": "Reg::LoadAlign<uint8_t, Reg::MaskDist::DIST_US>(q, At<uint8_t>(a))",
    "DS": "Reg::LoadAlign<uint8_t, Reg::MaskDist::DIST_DS>(q, At<uint8_t>(a))",
    "Gen16": "Reg::RegTensor<half> r; Reg::LoadAlign(r, At<half>(a)); Reg::MaskGenWithRegTensor<half, 3>(q, r)",
    "Gen32": "Reg::RegTensor<float> r; Reg::LoadAlign(r, At<float>(a)); Reg::MaskGenWithRegTensor<float, 5>(q, r)",
}


def _width(dist: str) -> int:
    return WIDTH.get(dist.rsplit("_", 1)[-1], 1)


def _block(*lines: str) -> str:
    return "__VEC_SCOPE__ { " + " ".join(f"{line};" for line in lines) + " }"


BYTE = "Reg::RegTensor<uint8_t>"
ALL = "Reg::MaskReg all = Reg::CreateMask<uint8_t>()"
MASK = "Reg::MaskReg m; Reg::LoadAlign(m, At<uint8_t>(c))"
UPDATE = "Reg::PostLiteral::POST_MODE_UPDATE"


def _distributions() -> dict[str, str]:
    byte, all_lanes, mask = BYTE, ALL, MASK
    store = "Reg::StoreAlign(At<uint8_t>(d), r, all)"
    cases: dict[str, str] = {}
    for dist in LOADS:
        load = f"Reg::LoadAlign<uint8_t, Reg::LoadDist::DIST_{dist}>(r, At<uint8_t>(a))"
        cases[f"load/{dist}"] = _block(f"{byte} r", all_lanes, load, store)
    for dist in STORES:
        stored = f"Reg::StoreAlign<uint8_t, Reg::StoreDist::DIST_{dist}>(At<uint8_t>(d), r, m)"
        cases[f"store/{dist}"] = _block(f"{byte} r", mask, "Reg::LoadAlign(r, At<uint8_t>(a))", stored)
    for width in PAIRS:
        load = f"Reg::LoadAlign<uint8_t, Reg::LoadDist::DIST_DINTLV_{width}>(r, s, At<uint8_t>(a))"
        second = "Reg::StoreAlign(At<uint8_t>(d, 256), s, all)"
        cases[f"load/DINTLV_{width}"] = _block(f"{byte} r, s", all_lanes, load, store, second)
        load = "Reg::LoadAlign(r, At<uint8_t>(a)); Reg::LoadAlign(s, At<uint8_t>(b))"
        pair = f"Reg::StoreAlign<uint8_t, Reg::StoreDist::DIST_INTLV_{width}>(At<uint8_t>(d), r, s, all)"
        cases[f"store/INTLV_{width}"] = _block(f"{byte} r, s", all_lanes, load, pair)
        t = {"B8": "uint8_t", "B16": "half", "B32": "float"}[width]
        for api in ("Interleave", "DeInterleave"):
            load = f"Reg::RegTensor<{t}> r, s; Reg::LoadAlign(r, At<{t}>(a)); Reg::LoadAlign(s, At<{t}>(b))"
            both = f"Reg::StoreAlign(At<{t}>(d), r, all); Reg::StoreAlign(At<{t}>(d, 256), s, all)"
            cases[f"{api}/{width}"] = _block(load, all_lanes, f"Reg::{api}(r, s, r, s)", both)
    return cases


def _addresses() -> dict[str, str]:
    byte, all_lanes, mask, update = BYTE, ALL, MASK, UPDATE
    cases: dict[str, str] = {}
    cases["post-update"] = _block(
        f"{byte} r; auto* p = At<uint8_t>(a); auto* q = At<uint8_t>(d)", all_lanes,
        f"for (uint16_t i = 0; i < 3; i++) {{ Reg::LoadAlign<uint8_t, {update}>(r, p, 256);"
        f" Reg::StoreAlign<uint8_t, {update}>(q, r, 512, all); }}",
    )  # fmt: skip
    cases["address register"] = _block(
        f"{byte} r", all_lanes,
        "for (uint16_t i = 0; i < 2; i++) for (uint16_t k = 0; k < 2; k++) {"
        " Reg::AddrReg f = Reg::CreateAddrReg<uint8_t>(i, 1024, k, 256); Reg::LoadAlign(r, At<uint8_t>(a), f);"
        " Reg::AddrReg t = Reg::CreateAddrReg<uint8_t>(i, 512, k, 256); Reg::StoreAlign(At<uint8_t>(d), r, t, all); }",
    )  # fmt: skip
    blocks = "Reg::DataCopyMode::DATA_BLOCK_COPY"
    cases["blocks"] = _block(
        f"Reg::RegTensor<float> r; {mask}",
        f"Reg::LoadAlign<float, {blocks}>(r, At<float>(a), 3, m)",
        f"Reg::StoreAlign<float, {blocks}>(At<float>(d), r, 2, m)",
    )
    cases["stream"] = _block(
        "Reg::RegTensor<half> r; Reg::UnalignRegForLoad u; Reg::UnalignRegForStore v",
        "auto* p = At<half>(a, 34); auto* q = At<half>(d, 6); Reg::LoadUnAlignPre(u, p)",
        f"for (uint16_t i = 0; i < 3; i++) {{ Reg::LoadUnAlign<half, {update}>(r, u, p, 128);"
        f" Reg::StoreUnAlign<half, {update}>(q, r, v, i == 2 ? 5 : 128); }}",
        "Reg::StoreUnAlignPost(q, v, 0)",
    )
    cases["any address"] = _block(
        "Reg::RegTensor<float> r; Reg::Load(r, At<float>(a, 5)); Reg::Store(At<float>(d, 3), r, 10)",
    )
    cases["squeeze"] = _block(
        f"Reg::RegTensor<float> r, s; Reg::UnalignRegForStore v; {mask}; Reg::ClearSpr<Reg::SpecialPurposeReg::AR>()",
        "for (uint16_t i = 0; i < 3; i++) { Reg::LoadAlign(r, At<float>(a, 256 * i));"
        " Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(s, r, m); Reg::StoreUnAlign(At<float>(d), s, v); }",
        "Reg::StoreUnAlignPost(At<float>(d), v)",
    )
    index = "Reg::RegTensor<uint16_t> i; Reg::LoadAlign(i, At<uint16_t>(b))"
    cases["gather"] = _block(
        f"Reg::RegTensor<half> r; {mask}; {index}; {all_lanes}",
        "Reg::Gather(r, At<half>(a), i, m); Reg::StoreAlign(At<half>(d), r, all)",
    )
    cases["gather bytes"] = _block(
        f"Reg::RegTensor<uint16_t> r; {mask}; {index}; {all_lanes}",
        "Reg::Gather(r, At<int8_t>(a), i, m); Reg::StoreAlign(At<uint16_t>(d), r, all)",
    )
    cases["gather blocks"] = _block(
        f"Reg::RegTensor<half> r; Reg::RegTensor<uint32_t> i; Reg::LoadAlign(i, At<uint32_t>(b)); {mask}; {all_lanes}",
        "Reg::GatherB(r, At<half>(a), i, m); Reg::StoreAlign(At<half>(d), r, all)",
    )
    cases["gather register"] = _block(
        f"Reg::RegTensor<half> r; {index}; {all_lanes}; Reg::LoadAlign(r, At<half>(a))",
        "Reg::Gather(r, r, i); Reg::StoreAlign(At<half>(d), r, all)",
    )
    cases["scatter"] = _block(
        f"Reg::RegTensor<half> r; {mask}; {index}; Reg::LoadAlign(r, At<half>(a))",
        "Reg::Scatter(At<half>(d), r, i, m)",
    )
    return cases


def _masks() -> dict[str, str]:
    all_lanes = ALL
    cases: dict[str, str] = {}
    keep = "Reg::StoreAlign<uint8_t>(At<uint8_t>(d), q)"
    for pattern in PATTERNS:
        created = f"Reg::MaskReg q = Reg::CreateMask<half, Reg::MaskPattern::{pattern}>()"
        ones = "Reg::RegTensor<half> r; Reg::Duplicate(r, half(1), q); Reg::StoreAlign(At<half>(d), r, all)"
        cases[f"mask/{pattern}"] = _block(created, all_lanes, ones)
    cases["UpdateMask"] = _block(
        f"Reg::RegTensor<float> r; {all_lanes}; uint32_t n = p[0]",
        "for (uint16_t i = 0; i < 3; i++) { Reg::MaskReg q = Reg::UpdateMask<float>(n); Reg::Duplicate(r, 1.0f, q);"
        " Reg::StoreAlign(At<float>(d, 256 * i), r, all); }",
    )
    three = "Reg::MaskReg q, m, n, k; Reg::LoadAlign(m, At<uint8_t>(a)); Reg::LoadAlign(n, At<uint8_t>(b))"
    for name, body in MASKS.items():
        cases[f"logic/{name}"] = _block(three, "Reg::LoadAlign(k, At<uint8_t>(c))", body, keep)
    cases["mask pack"] = _block(three, "Reg::StoreAlign<uint8_t, Reg::MaskDist::DIST_PACK>(At<uint8_t>(d), m)")
    cases["mask stream"] = _block(
        three, "Reg::UnalignReg v; auto* s = At<uint32_t>(d, 8)",
        "Reg::StoreUnAlign(s, m, v); Reg::StoreUnAlign(s, n, v); Reg::StoreUnAlignPost(s, v, 0)",
    )  # fmt: skip
    return cases


def _rearranged() -> dict[str, str]:
    cases: dict[str, str] = {}
    low, high = "Reg::HighLowPart::LOWEST", "Reg::HighLowPart::HIGHEST"
    cases["Pack"] = f"ONE(uint16_t, uint32_t, Reg::Pack<uint16_t, uint32_t, {high}>(z, x))"
    cases["UnPack"] = f"ONE(int32_t, int16_t, Reg::UnPack<int32_t, int16_t, {high}>(z, x))"
    cases["UnPack/low"] = f"ONE(uint16_t, uint8_t, Reg::UnPack<uint16_t, uint8_t, {low}>(z, x))"
    cases["Duplicate"] = "ONE(half, half, Reg::Duplicate(z, x, m))"
    cases["Duplicate/merging"] = "ONE(half, half, Reg::Duplicate<half, Reg::MaskMergeMode::MERGING>(z, 3, m))"
    cases["Move"] = "ONE(half, half, Reg::Move(z, x, m))"
    cases["Arange"] = "ONE(int16_t, int16_t, Reg::Arange(z, 5))"
    cases["Arange/down"] = "ONE(float, float, Reg::Arange<float, Reg::IndexOrder::DECREASE_ORDER>(z, 5))"
    cases["Squeeze"] = "ONE(half, half, Reg::Squeeze(z, x, m))"
    cases["Unsqueeze"] = "ONE(uint16_t, uint16_t, Reg::Unsqueeze(z, m))"
    for bin_, kind in (("BIN0", "FREQUENCY"), ("BIN1", "ACCUMULATE")):
        arguments = f"uint8_t, uint16_t, Reg::HistogramsBinType::{bin_}, Reg::HistogramsType::{kind}"
        cases[f"Histograms/{kind}"] = f"ONE(uint16_t, uint8_t, Reg::Histograms<{arguments}>(z, x, m))"
    mask_of_two = "Reg::MaskReg m = Reg::CreateMask<int64_t, Reg::MaskPattern::ALL, Reg::RegTraitNumTwo>()"
    wide = f"Reg::RegTensor<int64_t, Reg::RegTraitNumTwo> r, s; {mask_of_two}"
    cases["double register"] = _block(
        f"{wide}; Reg::LoadAlign(r, At<int64_t>(a)); Reg::LoadAlign(s, At<int64_t>(b))",
        "Reg::Add(r, r, s, m); Reg::StoreAlign(At<int64_t>(d), r, m)",
    )
    return cases


CASES = {**_distributions(), **_addresses(), **_masks(), **_rearranged()}
SUITE = Suite("reg_memory", CHIP, CASES, PRELUDE)
GENERATOR = np.random.default_rng(11)
A, B = (GENERATOR.integers(0, 256, 8192).astype(np.uint8) for _ in range(2))
OLD = np.full(2048, 0x77, np.uint8)


def _run(
    case: str, seed: int = 0, before: Array = OLD, numbers: tuple[int, ...] = (), a: Array = A, b: Array = B
) -> Array:
    return SUITE.run(case, [a, b, packed(mask_bits(seed))], before, numbers)


def _loaded(dist: str) -> Array:
    w = _width(dist)
    units = A.view(f"u{w}")
    wide = 2 * w
    table: dict[str, Callable[[], Array]] = {
        "NORM": lambda: A[:256],
        "BRC": lambda: np.full(256 // w, units[0]),
        "US": lambda: np.repeat(units[: 128 // w], 2),
        "DS": lambda: units[: 512 // w : 2],
        "UNPACK": lambda: units[: 128 // w].astype(f"u{wide}"),
        "UNPACK4": lambda: A[:64].astype(np.uint32),
        "BLK": lambda: np.tile(A[:32], 8),
        "E2B": lambda: np.repeat(units[:8], 32 // w),
    }
    return np.ascontiguousarray(table[dist.split("_", maxsplit=1)[0]]()).view(np.uint8)


@pytest.mark.parametrize("dist", LOADS)
def test_load(dist: str) -> None:
    same_bits(_run(f"load/{dist}")[:256], _loaded(dist))


@pytest.mark.parametrize("dist", STORES)
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_store(dist: str, seed: int) -> None:
    if seed == 7 and dist.startswith("PACK"):
        codes = frozenset({"chip-dependent"})
        SUITE.run(f"store/{dist}", [A, B, packed(mask_bits(seed))], OLD, codes=codes)
        return
    w = _width(dist)
    lanes = active(mask_bits(seed), w)
    want = OLD.copy()
    if dist.startswith("FIRST"):
        want[:w] = A[:w]
    else:
        kept = w if dist.startswith("NORM") else 1 if dist == "PACK4_B32" else w // 2
        values = A[:256].reshape(-1, w)[:, :kept]
        target = want[: values.size].reshape(-1, kept)
        target[lanes] = values[lanes]
    same_bits(_run(f"store/{dist}", seed), want)


@pytest.mark.parametrize("width", PAIRS)
def test_pairs_of_registers(width: str) -> None:
    w = WIDTH[width]
    units = A[:512].view(f"u{w}")
    split = np.concatenate([units[::2], units[1::2]])
    same_bits(_run(f"load/DINTLV_{width}")[:512], split.view(np.uint8))
    x, y = A[:256].view(f"u{w}"), B[:256].view(f"u{w}")
    mixed = np.stack([x, y], axis=1).reshape(-1)
    same_bits(_run(f"store/INTLV_{width}")[:512], mixed.view(np.uint8))
    same_bits(_run(f"Interleave/{width}")[:512], mixed.view(np.uint8))
    both = np.concatenate([x, y])
    same_bits(_run(f"DeInterleave/{width}")[:512], np.concatenate([both[::2], both[1::2]]).view(np.uint8))


def test_addresses_that_move() -> None:
    got = _run("post-update")
    for i in range(3):
        same_bits(got[512 * i : 512 * i + 256], A[256 * i : 256 * i + 256])
    got = _run("address register")
    want = np.concatenate([A[1024 * i + 256 * k :][:256] for i in range(2) for k in range(2)])
    same_bits(got[:1024], want)


def test_strided_blocks() -> None:
    bits = mask_bits(9)
    bits[64:96] = False
    lanes = active(bits, 4)
    want = OLD.copy()
    for k in range(8):
        chosen = np.repeat(lanes[8 * k : 8 * k + 8], 4)
        target = want[64 * k : 64 * k + 32]
        target[chosen] = A[96 * k : 96 * k + 32][chosen]
    same_bits(SUITE.run("blocks", [A, B, packed(bits)], OLD), want)


def test_unaligned_streams() -> None:
    want = OLD.copy()
    want[6 : 6 + 522] = A[34 : 34 + 522]
    same_bits(_run("stream"), want)
    want = OLD.copy()
    want[3:43] = A[5:45]
    same_bits(_run("any address"), want)
    lanes = active(mask_bits(7), 4)
    kept = np.concatenate([A[256 * i : 256 * i + 256].view(np.uint32)[lanes] for i in range(3)]).view(np.uint8)
    want = OLD.copy()
    want[: kept.size] = kept
    same_bits(_run("squeeze", 7), want)


def test_indices() -> None:
    order = GENERATOR.permutation(1024)[:128].astype(np.uint16)
    lanes = active(mask_bits(7), 2)
    x = A.view(np.uint16)
    same_bits(_run("gather", 7, b=order)[:256].view(np.uint16), np.where(lanes, x[order], 0).astype(np.uint16))
    same_bits(_run("gather bytes", 7, b=order)[:256].view(np.uint16), np.where(lanes, A[order], 0).astype(np.uint16))
    same_bits(_run("gather register", b=order)[:256].view(np.uint16), x[:128][order % 128])
    want = OLD.view(np.uint16).copy()
    want[order[lanes]] = x[:128][lanes]
    same_bits(_run("scatter", 7, b=order).view(np.uint16), want)
    offsets = (GENERATOR.permutation(40)[:64].astype(np.uint32)) * 32
    offsets = np.resize(offsets, 64)
    chosen = active(mask_bits(7), 4)[:8]
    blocks = [A[o : o + 32] if on else np.zeros(32, np.uint8) for o, on in zip(offsets[:8], chosen, strict=True)]
    same_bits(_run("gather blocks", 7, b=offsets)[:256], np.concatenate(blocks))


def test_an_index_twice() -> None:
    order = np.zeros(128, np.uint16)
    sources = [A, order, packed(mask_bits(0))]
    SUITE.run("scatter", sources, OLD, codes=frozenset({"chip-dependent"}))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_mask_patterns(pattern: str) -> None:
    want = PATTERNS[pattern](np.arange(128), 128).astype(np.float16)
    same_bits(_run(f"mask/{pattern}")[:256].view(np.float16), want)


@pytest.mark.parametrize("count", [0, 1, 64, 65, 150, 192, 500])
def test_update_mask(count: int) -> None:
    want = (np.arange(192) < count).astype(np.float32)
    same_bits(_run("UpdateMask", numbers=(count,))[:768].view(np.float32), want)


def _logic(name: str, m: Bits, n: Bits, k: Bits) -> Bits:
    zeros = np.zeros(128, np.bool_)
    units = np.unpackbits(A, bitorder="little").astype(np.bool_)
    table: dict[str, Callable[[], Bits]] = {
        "And": lambda: m & n & k,
        "Or": lambda: (m | n) & k,
        "Xor": lambda: (m ^ n) & k,
        "Not": lambda: ~m & k,
        "Move": lambda: m & k,
        "Select": lambda: np.where(k, m, n),
        "Pack": lambda: np.concatenate([zeros, m[::2]]),
        "UnPack": lambda: np.stack([m[128:], zeros], axis=1).reshape(-1),
        "Interleave": lambda: np.stack([m.reshape(-1, 2), n.reshape(-1, 2)], axis=1).reshape(-1)[:256],
        "DeInterleave": lambda: np.concatenate([m, n]).reshape(-1, 4)[1::2].reshape(-1),
        "US": lambda: np.repeat(units[:128], 2),
        "DS": lambda: units[:512:2],
        "Gen16": lambda: np.repeat(units[3 * 128 : 4 * 128], 2),
        "Gen32": lambda: np.repeat(units[5 * 64 : 6 * 64], 4),
    }
    return table[name]()


@pytest.mark.parametrize("name", MASKS)
def test_mask_logic(name: str) -> None:
    m, n = (np.unpackbits(x[:32], bitorder="little").astype(np.bool_) for x in (A, B))
    same_bits(_run(f"logic/{name}", 7)[:32], packed(_logic(name, m, n, mask_bits(7))))


def test_masks_in_memory() -> None:
    m, n = (np.unpackbits(x[:32], bitorder="little").astype(np.bool_) for x in (A, B))
    want = OLD.copy()
    want[:16] = packed(m[::2])
    same_bits(_run("mask pack"), want)
    want = OLD.copy()
    want[8:24] = packed(np.concatenate([m[::4], n[::4]]))
    same_bits(_run("mask stream"), want)


def test_rearrangement() -> None:
    old = OLD[:256]
    x16 = A[:256].view(np.uint16)
    lanes = active(mask_bits(7), 2)
    want = np.concatenate([np.zeros(64, np.uint16), x16[::2]])
    same_bits(_run("Pack", before=old.view(np.uint16)), want)
    same_bits(_run("UnPack", before=old.view(np.int32)), A[128:256].view(np.int16).astype(np.int32))
    same_bits(_run("UnPack/low", before=old.view(np.uint16)), A[:128].astype(np.uint16))
    half = old.view(np.uint16)
    same_bits(_run("Duplicate", 7, half), np.where(lanes, x16[0], 0).astype(np.uint16))
    three = np.float16(3).view(np.uint16)
    same_bits(_run("Duplicate/merging", 7, half), np.where(lanes, three, half).astype(np.uint16))
    same_bits(_run("Move", 7, half), np.where(lanes, x16, half).astype(np.uint16))
    same_bits(_run("Arange", before=old.view(np.int16)), np.arange(5, 133).astype(np.int16))
    same_bits(_run("Arange/down", before=old.view(np.float32)), np.arange(68, 4, -1).astype(np.float32))
    kept = np.zeros(128, np.uint16)
    kept[: lanes.sum()] = x16[lanes]
    same_bits(_run("Squeeze", 7, half), kept)
    below = np.concatenate([[0], np.cumsum(lanes)[:-1]]).astype(np.uint16)
    same_bits(_run("Unsqueeze", 7, half), below)


def test_histograms() -> None:
    counts = np.arange(128, dtype=np.uint16)
    data = A[:256][mask_bits(7)]
    equal = np.array([(data == k).sum() for k in range(128)])
    same_bits(_run("Histograms/FREQUENCY", 7, counts), (counts + equal).astype(np.uint16))
    upto = np.array([(data <= 128 + k).sum() for k in range(128)])
    same_bits(_run("Histograms/ACCUMULATE", 7, counts), (counts + upto).astype(np.uint16))


def test_double_registers() -> None:
    want = A[:512].view(np.int64) + B[:512].view(np.int64)
    same_bits(_run("double register")[:512].view(np.int64), want)
