"""What a Ray cluster is doing: its nodes, as plain data for a terminal or a page.

A node is slow where the load of its machine is more than half above its CPUs: what runs there shares them
with something that Ray knows nothing of.
"""

from __future__ import annotations

import os
from typing import Any

from kibitz.fleet.ray_cluster import import_ray, ray_connection

#: Seconds for a node to answer.
_PATIENCE = 10.0


def cluster_state(address: str) -> list[dict[str, Any]]:
    """The nodes of a cluster, dead ones last."""
    ray = import_ray(local=not address)
    with ray_connection(address, 0):
        free = _free()
        asked = {}
        for node in ray.nodes():
            if node["Alive"]:
                asked[node["NodeID"]] = _ask(ray, node["NodeID"])
        answers = {}
        ray.wait(list(asked.values()), num_returns=len(asked), timeout=_PATIENCE)
        for name, reference in asked.items():
            try:
                answers[name] = ray.get(reference, timeout=0)
            except ray.exceptions.RayError:
                answers[name] = None
        rows = [_row(node, free.get(node["NodeID"], {}), answers.get(node["NodeID"])) for node in ray.nodes()]
    return sorted(rows, key=lambda row: (not row["alive"], row["address"]))


def _ask(ray: Any, node: str) -> Any:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    strategy = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
    return ray.remote(look).options(num_cpus=0, scheduling_strategy=strategy).remote()


def look() -> dict[str, Any]:
    """On a node: the load of its machine, and Kibitz's actors there."""
    count = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    count += file.read(64).startswith((b"ray::RayWorker", b"ray::EngineHost"))
            except OSError:
                continue
    return {"load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None, "workers": count}


def _free() -> dict[str, dict[str, float]]:
    from ray._private import state

    known: Any = state
    return dict(known.available_resources_per_node())


def _row(node: dict[str, Any], free: dict[str, float], answer: dict[str, Any] | None) -> dict[str, Any]:
    resources = node["Resources"]
    cpus = float(resources.get("CPU", 0.0))
    load = None if answer is None else answer["load"]
    return {
        "node": node["NodeID"],
        "address": node["NodeManagerAddress"],
        "alive": bool(node["Alive"]),
        "answers": answer is not None,
        "cpus": cpus,
        "used": cpus - float(free.get("CPU", 0.0)) if node["Alive"] else 0.0,
        "memory": float(resources.get("memory", 0.0)),
        "workers": 0 if answer is None else answer["workers"],
        "load": load,
        "slow": bool(node["Alive"])
        and (answer is None or (cpus > 0 and load is not None and load > 1.5 * cpus)),
    }
