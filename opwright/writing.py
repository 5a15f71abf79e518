"""Files that appear only when all of them can."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write the files; where one cannot be written, none of them changes.

    Each is written beside its place under another name, and takes its name when all are complete.

    Raises:
        OSError: a file or a folder cannot be made; folders made on the way stay only if they hold something.
    """
    with ExitStack() as undo:
        staged = [(_staged(path, data, undo), path) for path, data in files.items()]
        for draft, path in staged:
            draft.replace(path)
        undo.pop_all()


def _staged(path: Path, data: bytes, undo: ExitStack) -> Path:
    _make_folder(path.parent, undo)
    if path.is_dir():
        raise IsADirectoryError(21, os.strerror(21), str(path))
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    draft = Path(name)
    undo.callback(draft.unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    draft.chmod(0o666 & ~_umask())
    return draft


def _make_folder(folder: Path, undo: ExitStack) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent, undo)
    folder.mkdir()
    undo.callback(folder.rmdir)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
