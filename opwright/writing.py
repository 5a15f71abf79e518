"""Files that appear only when all of them can."""

import errno
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write the files; where one cannot be written, none of them changes.

    Each is written beside its place under another name, and takes its name when all are complete.

    Raises:
        OSError: a file or a folder cannot be made; folders made on the way stay only if they hold something.
    """
    with ExitStack() as undo:
        finish = [_staged(path.resolve(), data, undo) for path, data in files.items()]
        for appear in finish:
            appear()
        undo.pop_all()


def check_place(path: Path) -> None:
    """Check, before long work, that a file can be written there.

    Raises:
        OSError: its folder is missing, or it is a folder itself.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def check_folder(path: Path) -> None:
    """Check, before long work, that a folder is there or can be made.

    Raises:
        OSError: it is, or would be inside, something else than a folder.
    """
    nearest = next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def _staged(path: Path, data: bytes, undo: ExitStack) -> Callable[[], object]:
    """Write the data beside its place; return what makes it appear there."""
    _make_folder(path.parent, undo)
    check_place(path)
    if path.exists() and not path.is_file():
        return lambda: path.write_bytes(data)
    draft = _draft_beside(path)
    undo.callback(draft.unlink, missing_ok=True)
    draft.write_bytes(data)
    draft.chmod(0o666 & ~_umask())
    return lambda: draft.replace(path)


def _draft_beside(path: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    os.close(handle)
    return Path(name)


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
