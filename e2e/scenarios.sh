# shellcheck shell=bash
# What is tried, each on the node as the one before it left it: up, and at rest.
# Sourced by e2e/run. `check NAME GOT WANTED` and `holds NAME COMMAND …` count.

# shellcheck disable=SC2034 # read by run
SCENARIOS=(two_sandboxes runtime_is_a_witness lost_del daemon_is_killed del_while_down churn_with_a_kill daemon_as_pid_1
  second_interface portmap_after_us delegated_by_bridge_and_ptp power_cut)

# Reading the ledger, from the journal alone

replay() { "$ROOT/podledger" replay "$@" --state-dir "$LAB/state"; }
held() { replay state --json | grep -c '"kind":"holder"'; }
address_of() {
  replay state --json | jq -r "select(.kind == \"holder\" and .containerId == \"$1\").address"
}

# Nothing of ours is left, in the ledger or in the kernel.
at_rest() {
  check "at rest: the ledger has no attachment" "$(held)" 0
  check "at rest: no device" "$(node_exec ip -o link show | grep -c ' eni')" 0
  check "at rest: no rule" "$(node_exec ip rule show | grep -cE '^(512|1536):')" 0
  check "at rest: no route" "$(node_exec ip route show table all proto 112 | wc -l)" 0
  check "at rest: nothing is spooled" "$(find "$LAB/state/spool" -type f | wc -l)" 0
  holds "at rest: the journal is sound" quiet replay verify
}

quiet() { "$@" >>"$LAB/quiet.log" 2>&1; }

remove_sandboxes() {
  local sandbox
  for sandbox in $(cri ids); do
    cri stop "$sandbox"
    cri rm "$sandbox"
  done
}

# A restart of the same daemon on the same state.
restart_daemon() { daemon_kill && daemon_start; }

two_sandboxes() {
  local a b
  a=$(cri run web)
  b=$(cri run db)
  check "the runtime reports the address of the ledger" "$(cri ip "$a")" "$(address_of "$a")"
  holds "web reaches db" ping_from "$a" "$(cri ip "$b")"
  holds "db reaches web" ping_from "$b" "$(cri ip "$a")"
  holds "the node reaches web" quiet node_exec ping -q -c 1 -W 2 "$(cri ip "$a")"
  cri stop "$a"
  check "a stopped sandbox holds nothing" "$(address_of "$a")" ""
  holds "its neighbour stays reachable" quiet node_exec ping -q -c 1 -W 2 "$(cri ip "$b")"
  remove_sandboxes
  at_rest
}

# The newest fact about a sandbox, as "TYPE STATE".
witnessed() {
  replay events --json | jq -r "select(.sandboxId == \"$1\") | \"\(.type) \(.state // \"-\")\"" |
    tail -n 1
}
witnesses() { [[ $(witnessed "$1") == "$2" ]]; }

runtime_is_a_witness() {
  local a b
  a=$(cri run web 3)
  holds "the runtime's sandbox becomes a fact" \
    wait_for 10 witnesses "$a" "SandboxObserved ready"
  check "with its attempt" "$(replay events --json | jq -r "select(.sandboxId == \"$a\").attempt")" 3
  daemon_kill
  b=$(cri ids | wc -l)
  daemon_start
  check "a restart with nothing new writes nothing" \
    "$(replay events --json | jq -r "select(.sandboxId == \"$a\").type" | wc -l)" "$b"
  cri stop "$a"
  holds "that it was stopped, too" wait_for 10 witnesses "$a" "SandboxObserved not-ready"
  containerd_kill
  holds "without the runtime a DEL is served" daemon_serves
  containerd_start
  cri rm "$a"
  holds "and that it is gone" wait_for 20 witnesses "$a" "SandboxVanished -"
  at_rest
}

# The DEL of a sandbox never comes: it is thrown away on its way.
lost_del() {
  local a b
  daemon_stop
  daemon_start --sweep-grace 2s --sweep-floor 30s
  a=$(cri run web)
  b=$(cri run db)
  daemon_kill
  cri stop "$a"
  cri rm "$a"
  rm -f "$LAB"/state/spool/*
  daemon_start --sweep-grace 2s --sweep-floor 30s
  check "the lost sandbox still holds its address at the start" "$(address_of "$a" | wc -l)" 1
  holds "the sweep gives it back" wait_for 60 swept "$a"
  check "with its cause and evidence" \
    "$(replay events --json | jq -r "select(.containerId == \"$a\" and .type == \"Released\").cause")" swept
  check "and no device of it is left" "$(node_exec ip -o link show | grep -c ' eni')" 1
  holds "the living one is left alone" quiet node_exec ping -q -c 1 -W 2 "$(cri ip "$b")"
  remove_sandboxes
  daemon_stop
  daemon_start
  at_rest
}

swept() { [[ -z $(address_of "$1") ]]; }

# A DEL of nobody's, as a runtime would send it.
daemon_serves() {
  node_exec env -i CNI_COMMAND=DEL CNI_CONTAINERID=nobody CNI_IFNAME=eth0 CNI_PATH="$LAB/cni/bin" \
    "$LAB/cni/bin/podledger" <<<'{"cniVersion": "1.0.0", "name": "podledger", "type": "podledger"}'
}

daemon_is_killed() {
  local a b before
  a=$(cri run web)
  b=$(cri run db)
  before="$(cri ip "$a") $(cri ip "$b")"
  daemon_kill
  holds "pods reach each other while the daemon is dead" ping_from "$a" "$(cri ip "$b")"
  daemon_start
  check "the same addresses after kill -9" "$(address_of "$a") $(address_of "$b")" "$before"
  holds "pods reach each other afterwards" ping_from "$a" "$(cri ip "$b")"
  restart_daemon
  check "the same addresses after another" "$(address_of "$a") $(address_of "$b")" "$before"
  remove_sandboxes
  at_rest
}

del_while_down() {
  local a b
  a=$(cri run web)
  b=$(cri run db)
  daemon_kill
  check "without the daemon there is no new sandbox" "$(cri run other || echo refused)" refused
  holds "StopPodSandbox succeeds without the daemon" cri stop "$a"
  holds "RemovePodSandbox too" cri rm "$a"
  check "the DELs wait on the disk" "$(($(find "$LAB/state/spool" -type f | wc -l) > 0))" 1
  daemon_start
  check "they are done before the daemon is ready" "$(address_of "$a")" ""
  holds "the other sandbox stays reachable" quiet node_exec ping -q -c 1 -W 2 "$(cri ip "$b")"
  remove_sandboxes
  at_rest
}

churn_with_a_kill() {
  local churn DELS_BEFORE
  DELS_BEFORE=$(logged_dels)
  cri churn churn 20 4 >"$LAB/churn.log" &
  churn=$!
  wait_for 60 in_the_middle
  restart_daemon
  holds "20 sandboxes come and go, the daemon is killed meanwhile" wait $churn
  sed 's/^/         /' "$LAB/churn.log"
  check "some of them noticed" "$(grep -c ' 0 Runs' "$LAB/churn.log")" 0
  remove_sandboxes
  at_rest
}

logged_dels() { grep -c ' DEL ' "$LAB/daemon.log"; }
in_the_middle() { (($(logged_dels) > DELS_BEFORE + 4)); }

daemon_as_pid_1() {
  local a before
  daemon_stop
  AS_PID_1=1 daemon_start
  a=$(cri run web)
  before=$(cri ip "$a")
  AS_PID_1=1 restart_daemon
  check "as PID 1: the same address after kill -9" "$(address_of "$a")" "$before"
  AS_PID_1=1 restart_daemon
  check "as PID 1: and again" "$(address_of "$a")" "$before"
  remove_sandboxes
  at_rest
  daemon_stop
  daemon_start
}

second_interface() {
  local pod
  daemon_stop
  vpc_up
  daemon_start --pool 10.99.1.64/27@eth1
  pod=$(cri run web)
  check "the pod has an address of eth1" "$(cri ip "$pod" | cut -d. -f1-3)" 10.99.1
  holds "it reaches the world, by eth1" ping_from "$pod" "$INTERNET"
  holds "the world reaches it" quiet ip netns exec "$VPC" ping -q -c 1 -W 2 "$(cri ip "$pod")"
  check "no packet left by the wrong interface" "$(vpc_dropped)" 0
  remove_sandboxes
  daemon_stop
  vpc_down
  daemon_start
  at_rest
}

portmap_after_us() {
  local web client
  daemon_stop
  daemon_start --portmap
  wait_for 10 grep -q portmap "$LAB/cni/net.d/10-podledger.conflist"
  web=$(cri run web 0 8080:80)
  client=$(cri run client)
  in_sandbox "$web" /usr/bin/python3 -c 'import socket
server = socket.create_server(("", 80))
server.settimeout(20)
server.accept()[0].sendall(b"hello")' &
  check "hostPort leads to the pod" "$(fetch "$client" "$NODE_ADDRESS" 8080)" hello
  wait $!
  remove_sandboxes
  check "portmap's rules are gone" "$(node_exec iptables -t nat -S | grep -c 8080)" 0
  daemon_stop
  daemon_start
  at_rest
}

# Connects until somebody listens, for at most 10 s, and prints what it is told.
fetch() {
  in_sandbox "$1" /usr/bin/python3 -c 'import socket, sys, time
end = time.monotonic() + 10
while True:
    try:
        with socket.create_connection((sys.argv[1], int(sys.argv[2])), 1) as server:
            print(server.recv(9).decode())
            break
    except OSError as error:
        if time.monotonic() > end:
            sys.exit(str(error))
        time.sleep(0.1)' "$2" "$3"
}

# Calls one of Debian's plugins with us as its `ipam`, the way a runtime does.
# $1 plugin, $2 command, $3 namespace.
delegate() {
  node_exec env -i PATH="$PATH" CNI_COMMAND="$2" CNI_CONTAINERID="$3" CNI_IFNAME=eth0 \
    CNI_NETNS="/run/netns/$3" CNI_PATH="$LAB/cni/bin:/usr/lib/cni" "/usr/lib/cni/$1" <<JSON
{"cniVersion": "1.0.0", "name": "$1-net", "type": "$1", "bridge": "pl-br0", "isGateway": true,
 "ipam": {"type": "podledger", "subnet": "198.18.0.0/24", "gateway": "198.18.0.254"}}
JSON
}

delegated_by_bridge_and_ptp() {
  local plugin pod address=()
  daemon_stop
  daemon_start --mode ipam
  for plugin in bridge ptp; do
    address=()
    for pod in "$plugin-a" "$plugin-b"; do
      node_exec ip netns add "$pod"
      address+=("$(delegate "$plugin" ADD "$pod" | jq -r '.ips[0].address' | cut -d/ -f1)")
      check "$plugin gives what the ledger says" "${address[-1]}" "$(address_of "$pod")"
    done
    holds "pods of $plugin reach each other" quiet node_exec nsenter --net="/run/netns/$plugin-a" \
      ping -q -c 2 -i 0.2 -w 5 "${address[1]}"
    for pod in "$plugin-a" "$plugin-b"; do
      holds "DEL by $plugin" quiet delegate "$plugin" DEL "$pod"
      node_exec ip netns del "$pod"
    done
  done
  node_exec ip link del pl-br0
  daemon_stop
  daemon_start
  at_rest
}

power_cut() {
  local name sandbox
  for name in a b c d; do cri run "$name" >/dev/null; done
  check "four sandboxes hold four addresses" "$(held)" 4
  node_power_cut
  node_up && daemon_start && containerd_start
  check "after the power cut the runtime lists them" "$(cri ids notready | wc -l)" 4
  check "nothing was released before the runtime asked" "$(held)" 4
  remove_sandboxes
  at_rest
}
