"""Arrays in npz files, by the document's names."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import numpy as np

from .codegen.dtypes import Array
from .dialect.diagnostics import Diagnostic


def read_npz(path: Path) -> dict[str, Array]:
    """Return the arrays of a file by name; bfloat16 comes as raw two-byte elements.

    Raises:
        Diagnostic: OPW015, not an npz file of plain arrays.
        OSError: the file cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise Diagnostic("OPW015", f"'{path}' holds one array without a name", hint=_HINT)
            return {name: file[name] for name in file.files}
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise Diagnostic("OPW015", f"'{path}' is not an npz file of plain arrays: {error}", hint=_HINT) from error


_HINT = "np.savez(path, name=array, ...) writes one"


def npz_bytes(arrays: Mapping[str, Array]) -> bytes:
    """Return the content of an npz file that holds the arrays, as np.savez writes it."""
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
