"""What an emulated kernel is called with: values in Python, and their text form on the command line."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import ml_dtypes
import numpy as np

from .codegen.dtypes import Array
from .codegen.emulator.launch import Argument, Role, read_only
from .dialect.diagnostics import Diagnostic

FORMS = "FILE.npy, inout:FILE.npy, float16[8,2048], uint32:4096, @FILE.bin, workspace:BYTES, null"
"""The forms of an argument as text."""

_OUTPUT = re.compile(r"(?P<dtype>\w+)\[(?P<shape>[\d, ]*)\]")
_VALUE = re.compile(r"(?P<dtype>\w+):(?P<value>.+)")
_ALIASES = {"half": "float16", "float": "float32", "double": "float64"}
_LARGEST = 1 << 32
"""Bytes that one argument may have."""


@dataclass(frozen=True)
class Output:
    """An output: its memory holds a pattern when the kernel starts, and every byte of it has to be written."""

    dtype: "np.dtype[np.generic]"
    shape: tuple[int, ...]


@dataclass(frozen=True)
class InOut:
    """A tensor that the kernel reads and writes."""

    array: Array


@dataclass(frozen=True)
class Workspace:
    """Memory that the kernel may use as it likes; it holds a pattern when the kernel starts."""

    size: int


Given = Array | np.generic | bytes | str | int | float | Output | InOut | Workspace | None
"""An argument: an input, a scalar, raw bytes, the text form of any of them, ..., or a null address."""


@dataclass(frozen=True)
class Prepared:
    """An argument as the launcher takes it."""

    argument: Argument
    role: Role | None = None
    result: Array | None = None


def prepare(name: str, given: Given, size: int) -> Prepared:
    """Return an argument for a parameter that takes `size` bytes by value, or an address (0).

    Raises:
        Diagnostic: OPW021 the text has none of the forms, OPW022 the parameter does not take it, OPW023 not a npy file.
        OSError: a file cannot be read.
    """
    value = read_text(name, given) if isinstance(given, str) else given
    return _by_value(name, value, size) if size else _by_address(name, value)


def read_text(name: str, text: str) -> Given:
    """Return the argument that a text stands for; errors as in `prepare`."""
    if text == "null":
        return None
    if text.startswith("@"):
        return Path(text[1:]).read_bytes()
    if text.startswith("workspace:"):
        return Workspace(_integer(name, text.removeprefix("workspace:"), _LARGEST))
    if text.endswith(".npy"):
        path = Path(text.removeprefix("inout:"))
        return InOut(_load(path)) if text.startswith("inout:") else _load(path)
    if output := _OUTPUT.fullmatch(text):
        sizes = [part.strip() for part in output["shape"].split(",")]
        shape = tuple(int(part) for part in sizes if part)
        return Output(_dtype(name, output["dtype"]), shape)
    if scalar := _VALUE.fullmatch(text):
        return _scalar(name, _dtype(name, scalar["dtype"]), scalar["value"])
    raise _malformed(name, f"'{text}' is no argument")


def _malformed(name: str, why: str) -> Diagnostic:
    return Diagnostic("OPW021", f"argument '{name}': {why}", hint=f"the forms are {FORMS}")


def _integer(name: str, text: str, largest: int) -> int:
    try:
        number = int(text, 0)
    except ValueError:
        raise _malformed(name, f"'{text}' is no integer") from None
    if not 0 <= number <= largest:
        raise _malformed(name, f"{number} is outside 0..{largest}")
    return number


def _dtype(name: str, text: str) -> "np.dtype[np.generic]":
    known = _ALIASES.get(text, text)
    try:
        dtype = np.dtype(getattr(ml_dtypes, known, known))
    except TypeError:
        dtype = np.dtype(np.object_)
    if not _is_number(dtype):
        raise _malformed(name, f"there is no dtype '{text}'")
    return dtype


def _is_number(dtype: "np.dtype[np.generic]") -> bool:
    return dtype.kind in "biufc" or dtype.type.__module__ == ml_dtypes.__name__


def _native(name: str, dtype: "np.dtype[np.generic]") -> "np.dtype[np.generic]":
    """Return the dtype as a kernel's memory holds it."""
    if not _is_number(dtype):
        raise _unfit(name, f"takes numbers, not elements of dtype '{dtype}'", "convert them with astype")
    return dtype.newbyteorder("=")


def _scalar(name: str, dtype: "np.dtype[np.generic]", text: str) -> np.generic:
    booleans = {"true": True, "false": False}
    try:
        number = booleans[text] if text in booleans else int(text, 0) if dtype.kind in "iu" else float(text)
        return dtype.type(number)
    except (ValueError, OverflowError):
        raise _malformed(name, f"'{text}' is no {dtype.name}") from None


def _load(path: Path) -> Array:
    with path.open("rb") as stream:
        try:
            loaded = np.lib.format.read_array(stream, allow_pickle=False)
        except (ValueError, EOFError) as error:
            message = f"'{path}' is no npy file: {str(error).partition('.')[0]}"
            raise Diagnostic("OPW023", message, hint="np.save(path, array) writes one") from error
    return loaded


def _by_value(name: str, given: Given, size: int) -> Prepared:
    """Return the bytes of a parameter that is no address; Python's numbers take the parameter's size."""
    match given:
        case bytes():
            data = given
        case np.generic():
            data = given.tobytes()
        case int():
            data = _number_bytes(name, given, size)
        case float() if size in (2, 4, 8):
            data = np.array(given, f"f{size}").tobytes()
        case _:
            raise _unfit(name, f"takes a value of {size} bytes", "give uint32:4096 or the like, or @FILE.bin")
    if len(data) != size:
        raise _unfit(name, f"takes a value of {size} bytes, the argument has {len(data)}", "")
    return Prepared(data)


def _number_bytes(name: str, number: int, size: int) -> bytes:
    try:
        return number.to_bytes(size, "little", signed=number < 0)
    except OverflowError:
        raise _unfit(name, f"takes a value of {size} bytes, and {number} needs more", "") from None


def _unfit(name: str, why: str, hint: str) -> Diagnostic:
    return Diagnostic("OPW022", f"parameter '{name}' {why}", hint=hint)


def _by_address(name: str, given: Given) -> Prepared:
    match given:
        case None | bytes():
            return Prepared(given)
        case Output():
            _check_size(name, given.dtype.itemsize, *given.shape)
            return _filled(np.empty(given.shape, _native(name, given.dtype)), Role.OUTPUT)
        case Workspace():
            return replace(_filled(np.empty(given.size, np.uint8), Role.WORKSPACE), result=None)
        case InOut():
            return _filled(np.array(given.array, _native(name, given.array.dtype), order="C"), Role.INOUT)
        case np.ndarray():
            return Prepared(read_only(given.astype(_native(name, given.dtype), copy=False)), Role.INPUT)
        case _:
            raise _unfit(name, "takes an address, not a value", "give FILE.npy, float16[8,2048] or @FILE.bin")


def _filled(array: Array, role: Role) -> Prepared:
    return Prepared(array, role, array)


def _check_size(name: str, *factors: int) -> None:
    total = 1
    for factor in factors:
        total *= factor
    if total > _LARGEST:
        raise _malformed(name, f"{total} bytes are more than {_LARGEST}")
