#!/usr/bin/env python3
"""image.py OUT.tar NAME:TAG PROGRAM: an OCI image of one static program, made without a builder."""
import hashlib
import io
import json
import os
import platform
import sys
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def put(tar, name, data, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    entry.mode = mode
    tar.addfile(entry, io.BytesIO(data))


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def layer(program):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar, open(program, "rb") as file:
        put(tar, os.path.basename(program), file.read(), 0o755)
    return buffer.getvalue()


def blob(kind, data, **more):
    media_type = "application/vnd.oci.image." + kind
    return {"mediaType": media_type, "digest": digest(data), "size": len(data), **more}


def main(out, name, program):
    files = layer(program)
    target = {"architecture": ARCHITECTURES[platform.machine()], "os": "linux"}
    config = json.dumps({
        **target,
        "config": {"Entrypoint": ["/" + os.path.basename(program)], "WorkingDir": "/"},
        "rootfs": {"type": "layers", "diff_ids": [digest(files)]},
    }).encode()
    manifest = json.dumps({
        "schemaVersion": 2,
        "config": blob("config.v1+json", config),
        "layers": [blob("layer.v1.tar", files)],
    }).encode()
    index = json.dumps({
        "schemaVersion": 2,
        "manifests": [blob("manifest.v1+json", manifest, platform=target, annotations={
            "io.containerd.image.name": name,
            "org.opencontainers.image.ref.name": name.rsplit(":", 1)[1],
        })],
    }).encode()
    with tarfile.open(out, "w") as tar:
        put(tar, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
        put(tar, "index.json", index)
        for data in (files, config, manifest):
            put(tar, "blobs/" + digest(data).replace(":", "/"), data)


if __name__ == "__main__":
    main(*sys.argv[1:])
