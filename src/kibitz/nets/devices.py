"""Devices other than the CPU, by the providers of ONNX Runtime or by PyTorch, none of them tried on hardware.

>>> providers("cuda", ["CUDAExecutionProvider", "CPUExecutionProvider"])
['CUDAExecutionProvider', 'CPUExecutionProvider']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
#: Devices of PyTorch; the best first, after the CPU.
TORCH_DEVICES = ("cpu", "cuda", "xpu", "mps")
#: The best of them that is there, or the CPU.
AUTO = "auto"


def runtime_for(device: str, runtime: str = "auto") -> str:
    """The runtime that computes on a device, where `auto` leaves the choice. BadOption says why the two do
    not fit.

    >>> runtime_for("cpu"), runtime_for("cuda"), runtime_for("mps")
    ('auto', 'onnxruntime', 'torch')
    """
    known = {"onnxruntime": (*DEVICES, AUTO), "torch": (*TORCH_DEVICES, AUTO)}
    if device not in known["onnxruntime"] + known["torch"]:
        raise _unknown(device, tuple(dict.fromkeys((*DEVICES, *TORCH_DEVICES, AUTO))))
    if device == "cpu":
        return runtime
    if runtime == "auto":
        return "onnxruntime" if device in known["onnxruntime"] else "torch"
    if runtime not in known:
        raise BadOption(
            f"the runtime {runtime} computes on the CPU; device={device!r} needs onnxruntime or torch"
        )
    if device not in known[runtime]:
        raise _unknown(device, known[runtime], runtime)
    return runtime


def _unknown(device: str, known: Sequence[str], runtime: str = "") -> BadOption:
    where = f" of {runtime}" if runtime else ""
    return BadOption(f"unknown device {device!r}{where}; expected one of {', '.join(known)}")


def providers(device: str, available: Sequence[str]) -> list[str]:
    """The providers for a device, in the order to try; the CPU takes what they cannot run. BadOption says
    which devices there are, where the named one is not."""
    if device == AUTO:
        return [*(name for names in DEVICES.values() for name in names if name in available), CPU]
    if device not in DEVICES:
        raise _unknown(device, (*DEVICES, AUTO))
    found = [name for name in DEVICES[device] if name in available]
    if not found and device != "cpu":
        here = [name for name, wanted in DEVICES.items() if not wanted or set(wanted) & set(available)]
        raise BadOption(f"this ONNX Runtime has no {device}, only {', '.join(here)}")
    return [*found, CPU]


def torch_device(device: str, torch: Any) -> str:
    """PyTorch's name of a device; BadOption says which there are, where the named one is not."""
    here = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "xpu": hasattr(torch, "xpu") and torch.xpu.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    found = [name for name in TORCH_DEVICES if here[name]]
    if device == AUTO:
        return (*found, "cpu")[1]
    if device not in TORCH_DEVICES:
        raise _unknown(device, (*TORCH_DEVICES, AUTO), "torch")
    if device not in found:
        raise BadOption(f"this PyTorch has no {device}, only {', '.join(found)}")
    return device
