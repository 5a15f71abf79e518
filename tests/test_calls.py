"""Calls again: what is kept of a form of call decides nothing about other arrays; memory comes back for new outputs."""

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import opwright as ow
from opwright.calls import form_of
from opwright.codegen.arena import Arena
from opwright.dialect.diagnostics import Diagnostic

F32 = np.dtype(np.float32)
BLOCK = (1 << 20,)


def test_a_second_call_of_a_form_checks_its_own_elements() -> None:
    operator = ow.compile("MoeTokenUnpermuteWithRoutingMapGrad", backend="numpy")
    arrays = {
        "unpermutedTokensGrad": np.ones((2, 3), np.float32),
        "outIndex": np.array([0, 1], np.int32),
        "permuteTokenId": np.zeros(2, np.int32),
    }
    assert np.array_equal(operator.run(arrays)["permutedTokensGradOut"], np.ones((2, 3)))
    for index, code in (([0, 2], "OPW211"), ([1, 1], "OPW212")):
        with pytest.raises(Diagnostic, match=code):
            operator.run({**arrays, "outIndex": np.array(index, np.int32)})


def test_a_call_of_another_form_gets_its_own_sizes() -> None:
    operator = ow.compile("MaskedCausalConv1dBackward", backend="numpy")

    def shape(rows: int, count: int) -> tuple[int, ...]:
        x = np.ones((rows, 1, 16), np.float16)
        return operator(gradY=x, x=x, weight=np.ones((count, 16), np.float16)).gradXOut.shape

    assert [shape(2, 3), shape(5, 3), shape(2, 3)] == [(2, 1, 16), (5, 1, 16), (2, 1, 16)]


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1}, {"a": True}), ({"a": 0.0}, {"a": -0.0}), ({"a": tuple(range(2000))}, {"a": (*range(1999), 0)})],
)
def test_forms_tell_attributes_apart(one: dict[str, object], other: dict[str, object]) -> None:
    assert form_of({}, one) != form_of({}, other)  # pyright: ignore[reportArgumentType]
    assert form_of({"x": np.zeros(2, np.int32)}, {}) != form_of({"x": np.zeros(2, np.int64)}, {})


def test_memory_is_used_again_only_when_no_array_holds_it() -> None:
    arena = Arena()
    first = arena.new(BLOCK, F32)
    first.fill(7)
    row = first[5:6]
    del first
    gc.collect()
    assert not arena.free
    second = arena.new(BLOCK, F32)
    second.fill(3)
    assert row[0] == 7
    del row, second
    gc.collect()
    assert len(arena.free) == 2


def test_memory_beyond_the_limit_goes_back_to_the_system() -> None:
    arena = Arena(limit=10 << 20)
    held = [arena.new(BLOCK, F32) for _ in range(4)]
    held.clear()
    gc.collect()
    assert sum(map(len, arena.free)) == 8 << 20


def test_threads_never_share_a_block() -> None:
    arena = Arena()

    def own(number: int) -> bool:
        array = arena.new(BLOCK, F32)
        array.fill(number)
        return bool((array == number).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(own, range(40)))


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_a_fork_shares_no_outputs_and_can_call_again(backend: str) -> None:
    """In a process of its own: threads of a test runner would not survive a fork either."""
    done = subprocess.run(
        [sys.executable, "-c", FORK.format(backend=backend)], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["0", "1.0", "2.0"], done.stderr


FORK = """
import os, signal
import numpy as np
import opwright as ow
run = ow.compile("MoeTokenUnpermuteWithRoutingMapGrad", backend="{backend}")
places = np.arange(256, dtype=np.int32)
def call(value):
    rows = np.full((256, 2048), value, np.float32)
    return run(unpermutedTokensGrad=rows, outIndex=places, permuteTokenId=places).permutedTokensGradOut
first = call(1)
child = os.fork()
if child == 0:
    signal.alarm(30)
    first[:] = -5
    os._exit(int((call(3) != 3).any()))
print(os.waitpid(child, 0)[1], first.min(), call(2).max())
"""


def test_attributes_may_come_from_numpy_and_must_fit() -> None:
    x = np.ones((16, 1, 16), np.float16)
    sizes = {"outputGrad": x[:1], "input": x, "weight": x[:, :, 0], "compressStride": 16}
    run = ow.compile("NsaCompressGrad", backend="numpy")
    assert run(**sizes, compressBlockSize=np.int64(16)).inputGradOut.shape == x.shape
    with pytest.raises(Diagnostic, match="OPW208"):
        run(**{**sizes, "compressBlockSize": 16, "compressStride": 1 << 63})


@pytest.mark.parametrize(
    ("value", "fits"),
    [([2, 3], True), (np.array([2, 3]), True), (("a",), False), ((2.5,), False), ((1 << 70, 1), False)],
)
def test_lists_hold_integers(value: tuple[int, ...], fits: bool) -> None:
    rows, places = np.ones((2, 4), np.float32), np.arange(2, dtype=np.int32)
    run = ow.compile("MoeTokenUnpermuteWithRoutingMapGrad", backend="numpy")
    arrays = {"unpermutedTokensGrad": rows, "outIndex": places, "permuteTokenId": places}
    if fits:
        assert np.array_equal(run.run(arrays, {"restoreShape": value})["permutedTokensGradOut"], rows)
        return
    with pytest.raises(Diagnostic, match="OPW208"):
        run.run(arrays, {"restoreShape": value})
