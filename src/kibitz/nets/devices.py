"""Devices other than the CPU, by the providers of ONNX Runtime. None of them was tried on hardware.

>>> providers("cuda", ["CUDAExecutionProvider", "CPUExecutionProvider"])
['CUDAExecutionProvider', 'CPUExecutionProvider']
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.errors import BadOption

CPU = "CPUExecutionProvider"
#: A device and the providers for it, the one to try first before the others.
DEVICES = {
    "cpu": (),
    "cuda": ("CUDAExecutionProvider",),
    "tensorrt": ("TensorrtExecutionProvider", "CUDAExecutionProvider"),
    "rocm": ("MIGraphXExecutionProvider", "ROCMExecutionProvider"),
    "directml": ("DmlExecutionProvider",),
    "coreml": ("CoreMLExecutionProvider",),
    "openvino": ("OpenVINOExecutionProvider",),
}
#: The best of them that is there, or the CPU.
AUTO = "auto"


def providers(device: str, available: Sequence[str]) -> list[str]:
    """The providers for a device, in the order to try; the CPU takes what they cannot run. BadOption says
    which devices there are, where the named one is not."""
    if device == AUTO:
        return [*(name for names in DEVICES.values() for name in names if name in available), CPU]
    if device not in DEVICES:
        raise BadOption(f"unknown device {device!r}; expected one of {', '.join((*DEVICES, AUTO))}")
    found = [name for name in DEVICES[device] if name in available]
    if not found and device != "cpu":
        here = [name for name, wanted in DEVICES.items() if not wanted or set(wanted) & set(available)]
        raise BadOption(f"this ONNX Runtime has no {device}, only {', '.join(here)}")
    return [*found, CPU]
