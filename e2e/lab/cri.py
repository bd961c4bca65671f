#!/usr/bin/env python3
"""A small CRI client. CRI_SOCK names the socket, PYTHONPATH holds the code made from cri.proto.

  cri.py version
  cri.py run NAME [ATTEMPT [HOST_PORT:POD_PORT]]    prints the sandbox's ID
  cri.py stop|rm ID
  cri.py ids [ready|notready]
  cri.py ip ID          the address that the runtime reports
  cri.py netns ID       the path of the network namespace
  cri.py churn PREFIX COUNT PARALLEL    Run, Stop and Remove, COUNT times
"""
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import cri_pb2 as cri
import cri_pb2_grpc
import grpc

# What a kubelet waits for RunPodSandbox, in seconds.
DEADLINE = 240
# A Run in the churn is repeated, as a kubelet repeats it: the daemon is killed meanwhile.
RUN_TRIES = 60
RUN_PAUSE = 0.5

runtime = cri_pb2_grpc.RuntimeServiceStub(
    grpc.insecure_channel("unix://" + os.environ["CRI_SOCK"]))


def config(name, attempt=0, ports=None):
    labels = {"io.kubernetes.pod.name": name, "io.kubernetes.pod.namespace": "default"}
    host, pod = (ports or "0:0").split(":")
    return cri.PodSandboxConfig(
        metadata=cri.PodSandboxMetadata(
            name=name, uid="uid-" + name, namespace="default", attempt=int(attempt)),
        hostname=name,
        log_directory=os.path.dirname(os.environ["CRI_SOCK"]) + "/pod-logs",
        labels=labels,
        port_mappings=[cri.PortMapping(host_port=int(host), container_port=int(pod))]
        if ports else [],
        linux=cri.LinuxPodSandboxConfig(
            cgroup_parent="/pl-e2e",
            security_context=cri.LinuxSandboxSecurityContext(
                namespace_options=cri.NamespaceOption(pid=1))))


def run(name, attempt=0, ports=None):
    request = cri.RunPodSandboxRequest(config=config(name, attempt, ports))
    return runtime.RunPodSandbox(request, timeout=DEADLINE).pod_sandbox_id


def stop(sandbox):
    runtime.StopPodSandbox(cri.PodSandboxRequest(pod_sandbox_id=sandbox), timeout=DEADLINE)


def remove(sandbox):
    runtime.RemovePodSandbox(cri.PodSandboxRequest(pod_sandbox_id=sandbox), timeout=DEADLINE)


def ids(state=None):
    wanted = {None: (0, 1), "ready": (0,), "notready": (1,)}[state]
    items = runtime.ListPodSandbox(cri.Empty(), timeout=DEADLINE).items
    return [item.id for item in items if item.state in wanted]


def inspect(sandbox):
    request = cri.PodSandboxStatusRequest(pod_sandbox_id=sandbox, verbose=True)
    return runtime.PodSandboxStatus(request, timeout=DEADLINE)


def netns(sandbox):
    spec = json.loads(inspect(sandbox).info["info"])["runtimeSpec"]
    return next(n["path"] for n in spec["linux"]["namespaces"] if n["type"] == "network")


def come_and_go(name):
    """Returns how often Run had to be repeated."""
    for attempt in range(RUN_TRIES):
        try:
            sandbox = run(name, attempt)
            break
        except grpc.RpcError:
            if attempt == RUN_TRIES - 1:
                raise
            time.sleep(RUN_PAUSE)
    stop(sandbox)
    remove(sandbox)
    return attempt


def churn(prefix, count, parallel):
    names = [f"{prefix}-{i}" for i in range(int(count))]
    with ThreadPoolExecutor(int(parallel)) as pool:
        repeats = sum(pool.map(come_and_go, names))
    return f"{count} sandboxes came and went, {repeats} Runs were repeated"


def main(verb, *arguments):
    verbs = {
        "version": lambda: runtime.Version(cri.VersionRequest(), timeout=5).runtime_version,
        "run": run,
        "stop": stop,
        "rm": remove,
        "ids": lambda *state: "\n".join(ids(*state)),
        "ip": lambda sandbox: inspect(sandbox).status.network.ip,
        "netns": netns,
        "churn": churn,
    }
    try:
        answer = verbs[verb](*arguments)
    except grpc.RpcError as error:
        sys.exit(f"{verb}: {error.code().name}: {error.details()}")
    if answer:
        print(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
