# shellcheck shell=bash
# The node: network, mount and pid namespaces with a real containerd and the daemon in them.
# Killing its init is a power cut: what is below $LAB stays, the rest was in memory.
# Sourced by e2e/run, which sets LAB, ROOT and NODE, the name of the network namespace.

INIT=''   # the init's process, as seen from outside
DAEMON='' # the daemon's
NODE_ADDRESS=10.99.0.1

node_up() {
  ip netns add "$NODE"
  ip -n "$NODE" link set lo up
  ip -n "$NODE" addr add "$NODE_ADDRESS/32" dev lo
  cat /proc/sys/kernel/random/uuid >"$LAB/boot_id"
  rm -f "$LAB/up"
  setsid nsenter --net="/run/netns/$NODE" \
    unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
    bash "$ROOT/e2e/lab/init.sh" "$LAB" >>"$LAB/init.log" 2>&1 </dev/null &
  local parent=$!
  disown
  wait_for 10 test -e "$LAB/up" || { cat "$LAB/init.log"; return 1; }
  INIT=$(child_of "$parent")
}

node_exec() { nsenter --target "$INIT" --mount --net --pid "$@"; }

# Everything in the node ends at once, and its devices with it.
node_power_cut() {
  kill -9 "$INIT"
  wait_for 10 gone "$INIT"
  ip netns del "$NODE"
}

# With the environment of a service and not of this shell: the plugin inherits it.
containerd_start() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root setsid \
    nsenter --target "$INIT" --mount --net --pid \
    containerd --config "$LAB/containerd.toml" >>"$LAB/containerd.log" 2>&1 </dev/null &
  disown
  wait_for 30 cri version || { tail "$LAB/containerd.log"; return 1; }
}

# The sandboxes' own processes stay.
containerd_kill() {
  pkill -9 -f "containerd --config $LAB/containerd.toml"
  wait_for 10 containerd_gone
}

containerd_gone() { ! pgrep -f "containerd --config $LAB/containerd.toml"; }

cri() {
  CRI_SOCK=$LAB/containerd.sock PYTHONPATH=$LAB/proto PYTHONDONTWRITEBYTECODE=1 \
    timeout 250 /usr/bin/python3 "$ROOT/e2e/lab/cri.py" "$@" 2>>"$LAB/cri.log"
}

# Runs a command in the network namespace of a sandbox.
in_sandbox() {
  local path
  path=$(cri netns "$1") && node_exec nsenter --net="$path" "${@:2}"
}

ping_from() { in_sandbox "$1" ping -q -c 2 -i 0.2 -w 5 "$2" >>"$LAB/ping.log"; }

# Starts the daemon in the node and waits until it is ready. With AS_PID_1=1 it is the init of a
# pid namespace of its own, as in a container.
daemon_start() {
  local inner=()
  [[ -z ${AS_PID_1:-} ]] || inner=(unshare --mount --pid --fork --kill-child --mount-proc
    sh -c "mount --bind $LAB/boot_id /proc/sys/kernel/random/boot_id && exec \"\$@\"" sh)
  node_exec rm -f /run/podledger/ready
  setsid nsenter --target "$INIT" --mount --net --pid "${inner[@]}" \
    "$ROOT/podledger" up --cni-conf-dir "$LAB/cni/net.d" \
    --runtime-endpoint "$LAB/containerd.sock" --runtime-list-every 1s "$@" >>"$LAB/daemon.log" 2>&1 </dev/null &
  DAEMON=$!
  disown
  wait_for 60 node_exec test -e /run/podledger/ready ||
    { tail -n 40 "$LAB/daemon.log"; return 1; }
  while child_of "$DAEMON" >/dev/null; do DAEMON=$(child_of "$DAEMON"); done
}

daemon_kill() {
  kill -9 "$DAEMON"
  wait_for 10 gone "$DAEMON"
}

daemon_stop() {
  kill -TERM "$DAEMON"
  wait_for 30 gone "$DAEMON"
}

child_of() {
  local children
  children=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
  [[ -n $children ]] && echo "${children%% *}"
}

gone() { [[ ! -d /proc/$1 ]]; }

# wait_for SECONDS COMMAND …: until it succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  until "${@:2}" >/dev/null 2>&1; do
    ((SECONDS <= end)) || { echo "waited $1 s in vain for: ${*:2}" >&2; return 1; }
    sleep 0.05
  done
}
