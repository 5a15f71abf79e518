"""The cached native compiler: results, cache keys, errors, concurrent builds."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from opwright.codegen.native import CompileError, CompilerMissing, cache_dir, compile_shared

ANSWER = {"main.c": '#include "value.h"\nint answer(void) { return VALUE; }\n', "value.h": "#define VALUE 42\n"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def build(sources: dict[str, str] | None = None, flags: tuple[str, ...] = ("-O1",)) -> Path:
    return compile_shared(sources or ANSWER, "main.c", language="c", flags=flags)


def test_compiles_and_runs() -> None:
    assert ctypes.CDLL(str(build())).answer() == 42


def test_compiles_cpp() -> None:
    source = {"main.cpp": 'extern "C" int answer() { return static_cast<int>(sizeof(bool)); }'}
    library = compile_shared(source, "main.cpp", language="c++", flags=("-std=c++17",))
    assert ctypes.CDLL(str(library)).answer() == 1


def test_same_content_is_built_once() -> None:
    first = build()
    stamp = first.stat().st_mtime_ns
    assert build() == first
    assert first.stat().st_mtime_ns == stamp


def test_every_input_is_in_the_key(tmp_path: Path) -> None:
    include = tmp_path / "include"
    include.mkdir()
    header = include / "value.h"
    main = {"main.c": ANSWER["main.c"]}

    def built() -> Path:
        return compile_shared(main, "main.c", language="c", flags=(), include_dirs=(include,))

    header.write_text("#define VALUE 1\n")
    one = built()
    header.write_text("#define VALUE 2\n")
    two = built()
    assert [ctypes.CDLL(str(path)).answer() for path in (one, two)] == [1, 2]
    assert len({one, two, build(), build(flags=("-O2",)), build({**ANSWER, "value.h": "#define VALUE 3\n"})}) == 5


def test_nothing_but_libraries_is_left(own_cache: Path) -> None:
    library = build()
    assert [path for path in own_cache.rglob("*") if path.is_file()] == [library]


def test_a_failing_compile_names_file_and_line() -> None:
    with pytest.raises(CompileError) as caught:
        build({"main.c": "int answer(void) {\n    return nothing;\n}\n"})
    assert "cannot compile main.c" in str(caught.value)
    assert caught.value.errors[0].startswith("main.c:2:")
    assert "nothing" in caught.value.errors[0]


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(CompilerMissing, match="set CC"):
        build()


def test_a_compiler_that_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(CompilerMissing, match="false does not work"):
        build()


@pytest.mark.parametrize("kept", [0.0, 0.002, 0.5, 0.99])
def test_a_library_that_lost_its_end_is_built_again(kept: float) -> None:
    library = build()
    whole = library.stat().st_size
    with library.open("r+b") as stream:
        stream.truncate(int(whole * kept))
    assert build().stat().st_size == whole
    assert ctypes.CDLL(str(library)).answer() == 42


def test_names_must_stay_in_the_build_folder() -> None:
    with pytest.raises(ValueError, match="leaves the build folder"):
        build({**ANSWER, "../evil.h": ""})


def test_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPWRIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_dir() == tmp_path / "opwright"


def test_concurrent_builds_agree(own_cache: Path) -> None:
    code = (
        "from opwright.codegen.native import compile_shared\n"
        f"print(compile_shared({ANSWER!r}, 'main.c', language='c', flags=('-O1',)))"
    )
    jobs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    results = {job.communicate()[0].strip() for job in jobs}
    assert results == {str(build())}
    assert all(job.returncode == 0 for job in jobs)
    assert len([path for path in own_cache.rglob("*") if path.is_file()]) == 1
