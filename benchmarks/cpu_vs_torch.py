"""Compare the C backend with torch.compile on the CPU: times, and errors against float64.

Exit status: 0 all cases pass, 1 a case is not faster by the factor asked for, 3 an output is not accurate enough.
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from cases import BF16, CASES, Array, Arrays, Case, Tensor, Torch
from timing import Times, interleave

import opwright as ow

torch: Torch = importlib.import_module("torch")

OURS = "opwright"
MODES = ("default", "max-autotune")
TRIAL_ROUNDS = 7
ERROR_LIMITS = {np.dtype(np.float32): 2.0**-13, np.dtype(np.float16): 2.0**-10, BF16: 2.0**-7}
"""The mean relative error that an output of each dtype stays below."""


@dataclass(frozen=True)
class Result:
    """One case measured: the torch form and mode that won, both times, and both mean relative errors (worst output)."""

    case: str
    rival: str
    torch: Times
    ours: Times
    torch_error: float
    our_error: float
    accurate: bool

    @property
    def ratio(self) -> float:
        """How many times as fast as torch.compile our kernel is, by medians."""
        return self.torch.median / self.ours.median


def measure(case: Case, rounds: int, threads: int) -> Result:
    """Measure one case; both sides allocate their outputs in each call."""
    arrays = case.inputs(np.random.default_rng(0))
    kernel = ow.compile(case.operator, backend="c", target="cpu", cores=threads)
    ours: Callable[[], Mapping[str, Array]] = partial(kernel, **arrays, **case.attributes)
    rival, theirs = _fastest(_compiled_forms(case, arrays))
    expected = case.reference(arrays)
    outputs = ours()
    errors = {name: mean_relative_error(outputs[name], expected[name]) for name in expected}
    accurate = all(error < ERROR_LIMITS[outputs[name].dtype] for name, error in errors.items())
    torch_outputs = theirs()
    torch_errors = [mean_relative_error(_to_float64(torch_outputs[name]), expected[name]) for name in expected]
    times = interleave({rival: theirs, OURS: ours}, rounds)
    return Result(case.name, rival, times[rival], times[OURS], max(torch_errors), max(errors.values()), accurate)


def mean_relative_error(output: Array, expected: Array) -> float:
    """Return the mean of |a - b| / (|b| + 1e-7)."""
    return float(np.mean(np.abs(output.astype(np.float64) - expected) / (np.abs(expected) + 1e-7)))


def _compiled_forms(case: Case, arrays: Arrays) -> dict[str, Callable[[], Any]]:
    tensors = {name: _to_tensor(array) for name, array in arrays.items()}
    torch.compiler.reset()
    dynamo = torch._dynamo.config
    dynamo.recompile_limit = len(MODES) * len(case.torch_forms(torch))
    dynamo.capture_dynamic_output_shape_ops = True
    return {
        f"{form}, {mode}": partial(torch.compile(function, mode=mode, fullgraph=True), **tensors)
        for form, function in case.torch_forms(torch).items()
        for mode in MODES
    }


def _fastest(functions: Mapping[str, Callable[[], Any]]) -> tuple[str, Callable[[], Any]]:
    """Return the function with the least median in a short trial, and its name."""
    times = interleave(functions, TRIAL_ROUNDS)
    name = min(times, key=lambda name: times[name].median)
    return name, functions[name]


def _to_tensor(array: Array) -> Tensor:
    if array.dtype == BF16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _to_float64(tensor: Tensor) -> Array:
    return tensor.double().numpy()


def table(results: Sequence[Result]) -> str:
    """Return the results as a Markdown table; times in milliseconds."""
    columns = (
        "case",
        "torch.compile form, mode",
        "torch",
        "torch min",
        "ours",
        "ours min",
        "ratio",
        "torch error",
        "our error",
    )
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for r in results:
        times = f"{r.torch.median:.2f} | {r.torch.least:.2f} | {r.ours.median:.2f} | {r.ours.least:.2f}"
        errors = f"{r.torch_error:.1e} | {r.our_error:.1e}"
        lines.append(f"| {r.case} | {r.rival} | {times} | {r.ratio:.2f}x | {errors} |")
    return "\n".join(lines)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help="names of cases, all if none is given")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--rounds", type=int, default=30, help="timed calls of each side")
    parser.add_argument("--threads", type=int, default=2, help="threads of both sides")
    parser.add_argument("--require", type=float, default=0.0, metavar="RATIO", help="fail below this speed-up")
    arguments = parser.parse_args(argv)
    unknown = [name for name in arguments.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    arguments = _arguments(argv)
    if arguments.list:
        print("\n".join(CASES))
        return 0
    torch.set_num_threads(arguments.threads)
    names = arguments.cases or list(CASES)
    results = [measure(CASES[name], arguments.rounds, arguments.threads) for name in names]
    print(f"torch {torch.__version__}, {arguments.threads} threads, {arguments.rounds} rounds, milliseconds\n")
    print(table(results))
    if not all(result.accurate for result in results):
        return 3
    return int(any(result.ratio < arguments.require for result in results))


if __name__ == "__main__":
    sys.exit(main())
