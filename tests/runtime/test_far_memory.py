"""Functions load wherever the system has memory left: in a large process, pages that are free may lie gigabytes apart."""

from __future__ import annotations

import subprocess
import sys

import pytest

PAGES_APART = """
import ctypes, mmap
from robosym.runtime import engine

CODE = engine.compiled("define double @f(double %x) {\\n  %y = fmul double %x, 0.3\\n  ret double %y\\n}\\n", 1)
engine.Engine(CODE, ["f"])  # what LLVM needs once is there
FAR, PAGE, NOWHERE = 3 << 30, mmap.PAGESIZE, 0x4022  # private, anonymous, without a place in memory
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def reserved(size):
    return libc.mmap(None, size, 0, NOWHERE, -1, 0)


below = reserved(FAR)
size, above = 1 << 30, []
while size >= PAGE:  # all that is free above these gigabytes
    block = reserved(size)
    if block > below:
        above.append((block, size))
    else:
        libc.munmap(block, size)
        size //= 2

engines = []
for pages in (1, 2, 3, 1):  # free again, at the beginning of a block: too little for a whole function, or just enough
    block, size = next(each for each in above if each[1] > pages * PAGE)
    above.remove((block, size))
    libc.munmap(block, pages * PAGE)
    engines.append(engine.Engine(CODE, ["f"]))
    f = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(engines[-1].address("f"))
    assert f(2.0) == 0.6
print("loaded", len(engines), sum(each.address("f") < below for each in engines) > 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="takes pages as Linux hands them out")
def test_code_and_its_constants_stay_together():
    """Code reaches its constants within 2 GB only. When the system gave each section a place of its own, LLVM ended the process."""
    done = subprocess.run([sys.executable, "-c", PAGES_APART], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["loaded", "4", "True"]
