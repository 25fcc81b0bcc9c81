"""What Windows says of this process: it has no /proc, and Python no module `resource` there."""

from __future__ import annotations

import ctypes
import sys


class _MemoryCounters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = (
        ("cb", ctypes.c_uint32),
        ("page_faults", ctypes.c_uint32),
        ("peak", ctypes.c_size_t),
        ("resident", ctypes.c_size_t),
        ("others", ctypes.c_size_t * 6),
    )


def resident_and_peak() -> tuple[int, int]:
    """Bytes of resident memory, and the most that there have been so far."""
    if sys.platform != "win32":
        raise OSError("this is not Windows")
    kernel, its = ctypes.WinDLL("kernel32"), _MemoryCounters(ctypes.sizeof(_MemoryCounters))
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    ask = kernel.K32GetProcessMemoryInfo
    ask.argtypes = (ctypes.c_void_p, ctypes.POINTER(_MemoryCounters), ctypes.c_uint32)
    ask(kernel.GetCurrentProcess(), ctypes.byref(its), its.cb)
    return its.resident, its.peak
