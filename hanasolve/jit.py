"""The one helper through which every kernel is compiled, and the bit operations kernels share.

Kernels work on `int64` alone: all card sets have 48 bits and all packed words fit 63, so the mixed
signed and unsigned arithmetic that would silently turn into floating point never comes up.

Numba's own cache looks at the time stamp of the file that a function stands in, not of the files
whose functions it calls. So the cache used here lies in a folder named after a digest of all
modules that use this one: any change gives a new folder, and a stale kernel cannot be loaded.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import cgutils, event, types
from numba.core import config as numba_config
from numba.extending import intrinsic

from hanasolve.interrupts import put_off

F = TypeVar("F", bound=Callable[..., Any])

int64 = types.int64
float64 = types.float64
ITEMS = types.int64[::1]
"""A one-dimensional array of `int64`."""
ROWS = types.int64[:, ::1]
"""A two-dimensional array of `int64`."""
FLOATS = types.float64[::1]
"""A one-dimensional array of `float64`."""


def tuple_of(kind: type, *fields: Any) -> Any:
    """Give the type of a named tuple whose fields have these types."""
    make: Any = types.NamedTuple
    return make(fields, kind)


MARK = "digest.txt"
"""A file written to see that a cache folder can be written to."""


@functools.cache
def _cache_folder() -> str | None:
    """Folder for this version's compiled kernels, or None when none can be written."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {package}".encode())
    for source in sorted(package.rglob("*.py")):
        text = source.read_bytes()
        if b"hanasolve.jit" in text:
            digest.update(text)
    name = digest.hexdigest()[:16]
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    candidates = [Path(base)] if base else []
    with contextlib.suppress(RuntimeError):
        candidates.append(Path.home() / ".cache")
    for candidate in candidates:
        folder = candidate / "hanasolve" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / MARK).write_text(name)
        except OSError:
            continue
        return str(folder)
    return None


class _Announce(event.Listener):
    """Says once, on standard error, that kernels are being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if self.said:
            return
        self.said = True
        if _cache_folder() is None:
            why = "no cache folder can be written, so every start compiles; set NUMBA_CACHE_DIR"
        else:
            why = "once on this machine"
        print(f"hanasolve: compiling, about half a minute ({why}) …", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing is said at the end."""


_ANNOUNCE = _Announce()


@contextlib.contextmanager
def _our_cache() -> Iterator[bool]:
    """Point Numba's cache at our folder for the time of one decoration."""
    config: Any = numba_config
    folder, before = _cache_folder(), config.CACHE_DIR
    config.CACHE_DIR = folder or before
    try:
        # LLVM must not be left in the middle of its work.
        with put_off(), event.install_listener("numba:compile", _ANNOUNCE):
            yield folder is not None
    finally:
        config.CACHE_DIR = before


_BORROW: Final[dict[str, Any]] = {"nogil": True, "_nrt": False}
"""Kernels borrow the arrays that they are given. To count references to them, as Numba would, costs
an atomic operation at every call: up to a fifth of all time. Such a kernel cannot make arrays."""


def jit(signature: Any, *, allocates: bool = False) -> Callable[[F], F]:
    """Compile an entry point for one signature, at import, through the cache.

    Parameters
    ----------
    signature : numba signature
        The types of result and arguments, as ``int64(ITEMS, int64)``.
    allocates : bool, optional
        Whether it makes arrays.

    Returns
    -------
    callable
        A decorator; the compiled function releases the interpreter lock while it runs.
    """
    options = {"nogil": True} if allocates else _BORROW

    def decorate(function: F) -> F:
        with _our_cache() as cached:
            compiled: Any = numba.njit(signature, cache=cached, **options)(function)
        return cast(F, compiled)

    return decorate


def inline(function: F) -> F:
    """Compile a helper only within the entry points that call it."""
    compiled: Any = numba.njit(**_BORROW)(function)
    return cast(F, compiled)


def engine(function: F) -> F:
    """Compile a function that takes compiled functions, once into each entry point that calls it.

    It is always inlined. Otherwise the functions that it is given would be passed as addresses,
    which change from run to run, and the entry point could not be cached.
    """
    compiled: Any = numba.njit(**_BORROW, forceinline=True)(function)
    return cast(F, compiled)


@intrinsic
def _popcount(context: Any, value: Any) -> Any:
    """Count the set bits of an `int64`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return int64(int64), generate


@intrinsic
def _lowest(context: Any, value: Any) -> Any:
    """Index of the lowest set bit of an `int64`; 64 when there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return int64(int64), generate


@intrinsic
def _leading_zeros(context: Any, value: Any) -> Any:
    """Count the zero bits above the highest set bit of an `int64`; 64 when there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], cgutils.false_bit)

    return int64(int64), generate


popcount: Callable[[int], int] = cast(Any, _popcount)
lowest: Callable[[int], int] = cast(Any, _lowest)
leading_zeros: Callable[[int], int] = cast(Any, _leading_zeros)


@inline
def highest(value: int) -> int:
    """Index of the highest set bit of an `int64`; -1 when there is none."""
    return 63 - leading_zeros(value)


@inline
def nth_bit(bits: int, n: int) -> int:
    """Index of the n-th lowest set bit, counted from 1."""
    for _ in range(n - 1):
        bits &= bits - 1
    return int(lowest(bits))
