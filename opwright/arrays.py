"""Arrays in npz files, by the document's names."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np

from .codegen.dtypes import Array
from .dialect.diagnostics import Diagnostic


def read_npz(path: Path) -> dict[str, Array]:
    """Return the arrays of a file by name; bfloat16 comes as raw two-byte elements.

    Raises:
        Diagnostic: OPW015, not an npz file of plain arrays.
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        if not zipfile.is_zipfile(stream):
            raise _not_npz(path, "it holds one array, or no arrays at all")
        try:
            return _read(stream)
        except (ValueError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
            raise _not_npz(path, str(error).partition(".")[0]) from error


def _read(stream: BinaryIO) -> dict[str, Array]:
    stream.seek(0)
    with np.load(stream, allow_pickle=False) as file:
        return {name: np.asarray(file[name]) for name in file.files}


def _not_npz(path: Path, why: str) -> Diagnostic:
    return Diagnostic("OPW015", f"'{path}' is no npz file: {why}", hint="np.savez(path, name=array, ...) writes one")


def npz_bytes(arrays: Mapping[str, Array]) -> bytes:
    """Return the content of an npz file that holds the arrays, as np.savez writes it."""
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def npy_bytes(array: Array) -> bytes:
    """Return the content of an npy file that holds the array, as np.save writes it."""
    buffer = BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
