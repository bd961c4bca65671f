#!/usr/bin/env bash
# The node's init, in mount and pid namespaces of its own. $1 is the lab's folder: what outlives a
# power cut is there; all the rest is in memory.
set -euo pipefail
lab=$1

mount -t tmpfs tmpfs /run
mkdir -p /run/netns /run/cgroup
mount --rbind /sys/fs/cgroup /run/cgroup
mount -t sysfs sysfs /sys
mount --rbind /run/cgroup /sys/fs/cgroup
mount --bind "$lab/var-lib-cni" /var/lib/cni
mount --bind "$lab/state" /var/lib/podledger
mount --bind "$lab/boot_id" /proc/sys/kernel/random/boot_id

trap : TERM
touch "$lab/up"
while :; do
  sleep 1000 &
  wait $! || true
done
