# shellcheck shell=bash
# A router that checks sources, as a cloud's network does: it drops what comes by an interface whose
# source is not assigned to that interface. The node's eth0 has 10.99.1.10, its eth1 10.99.1.11 and
# the pod addresses 10.99.1.64/27. Sourced by e2e/run, which sets NODE and VPC.

INTERNET=192.0.2.1 # an address behind the router

vpc_up() {
  ip netns add "$VPC"
  ip -n "$VPC" link set lo up
  ip -n "$VPC" addr add "$INTERNET/32" dev lo
  vpc_interface 0 10.99.1.10
  vpc_interface 1 10.99.1.11 10.99.1.64/27
  ip -n "$NODE" route add default via 10.99.1.1 dev eth0
}

# vpc_interface NUMBER ADDRESS [PODS]
vpc_interface() {
  local link=pl-eni$1 source
  ip link add "$link" netns "$VPC" type veth peer name "eth$1" netns "$NODE"
  ip -n "$VPC" addr add 10.99.1.1/32 dev "$link"
  ip -n "$VPC" link set "$link" up
  ip -n "$NODE" addr add "$2/24" dev "eth$1" noprefixroute
  ip -n "$NODE" link set "eth$1" up
  ip -n "$NODE" route add 10.99.1.1 dev "eth$1" src "$2" metric "$((100 + $1))"
  ip -n "$VPC" route add "$2" dev "$link"
  for source in "${@:2}"; do
    ip netns exec "$VPC" iptables -A INPUT -i "$link" -s "$source" -j ACCEPT
  done
  ip netns exec "$VPC" iptables -A INPUT -i "$link" -j DROP
  [[ -z ${3:-} ]] || ip -n "$VPC" route add "$3" via "$2" dev "$link" onlink
}

# Packets that came by the wrong interface so far.
vpc_dropped() {
  ip netns exec "$VPC" iptables -nvxL INPUT | awk '/DROP/ { sum += $1 } END { print sum + 0 }'
}

vpc_down() { ip netns del "$VPC"; }
