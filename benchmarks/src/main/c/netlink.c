#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH_BYTES = 4096, PROTOCOL = 112, TO_POD = 512, MTU = 1500, ADDR_GEN_NONE = 1 };

static const uint8_t GATEWAY[POD_ADDRESS_BYTES] = {169, 254, 1, 1};

/* Messages that go to the kernel in one send. */
struct batch {
    _Alignas(struct nlmsghdr) uint8_t data[BATCH_BYTES];
    size_t size;
    struct nlmsghdr *last;
    unsigned count;
};

static void *put(struct batch *batch, size_t size) {
    void *at = batch->data + batch->size;
    batch->size += NLMSG_ALIGN(size);
    memset(at, 0, NLMSG_ALIGN(size));
    if (batch->last != NULL) {
        batch->last->nlmsg_len = (uint32_t)(batch->data + batch->size - (uint8_t *)batch->last);
    }
    return at;
}

static void begin(struct batch *batch, int type, int flags, const void *header, size_t size) {
    batch->last = NULL;
    struct nlmsghdr *message = put(batch, sizeof *message);
    batch->last = message;
    message->nlmsg_type = (uint16_t)type;
    message->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | NLM_F_ACK | flags);
    message->nlmsg_seq = ++batch->count;
    memcpy(put(batch, size), header, size);
}

static struct rtattr *attribute(struct batch *batch, int type, const void *data, size_t size) {
    struct rtattr *attribute = put(batch, RTA_LENGTH(size));
    attribute->rta_type = (uint16_t)type;
    attribute->rta_len = (uint16_t)RTA_LENGTH(size);
    if (size > 0) {
        memcpy(RTA_DATA(attribute), data, size);
    }
    return attribute;
}

static void attribute_u32(struct batch *batch, int type, uint32_t value) {
    attribute(batch, type, &value, sizeof value);
}

static void end(struct batch *batch, struct rtattr *nest) {
    nest->rta_len = (uint16_t)(batch->data + batch->size - (uint8_t *)nest);
}

/* Sends the batch and takes one acknowledgement for each message. Gives the index of a device that
   was asked for, or 0. */
static int exchange(int socket, struct batch *batch) {
    uint8_t answer[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
    unsigned acknowledged = 0;
    int index = 0;
    if (send(socket, batch->data, batch->size, 0) < 0) {
        fail("send to rtnetlink");
    }
    while (acknowledged < batch->count) {
        ssize_t received = recv(socket, answer, sizeof answer, 0);
        if (received < 0) {
            fail("receive from rtnetlink");
        }
        unsigned left = (unsigned)received;
        for (struct nlmsghdr *at = (void *)answer; NLMSG_OK(at, left); at = NLMSG_NEXT(at, left)) {
            if (at->nlmsg_type == NLMSG_ERROR) {
                acknowledged++;
                errno = -((struct nlmsgerr *)NLMSG_DATA(at))->error;
                if (errno != 0) {
                    fail("rtnetlink");
                }
            } else if (at->nlmsg_type == RTM_NEWLINK) {
                index = ((struct ifinfomsg *)NLMSG_DATA(at))->ifi_index;
            }
        }
    }
    *batch = (struct batch){.size = 0};
    return index;
}

int netlink_socket(void) {
    int one = 1;
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0 || setsockopt(descriptor, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof one) != 0) {
        fail("socket of rtnetlink");
    }
    return descriptor;
}

static void veth(struct batch *batch, const struct pod *pod) {
    struct ifinfomsg any = {0};
    begin(batch, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &any, sizeof any);
    attribute(batch, IFLA_IFNAME, pod->device, strlen(pod->device) + 1);
    attribute(batch, IFLA_ADDRESS, pod->host_mac, MAC_BYTES);
    attribute_u32(batch, IFLA_MTU, MTU);
    struct rtattr *info = attribute(batch, IFLA_LINKINFO, NULL, 0);
    attribute(batch, IFLA_INFO_KIND, "veth", 5);
    struct rtattr *data = attribute(batch, IFLA_INFO_DATA, NULL, 0);
    struct rtattr *peer = attribute(batch, VETH_INFO_PEER, NULL, 0);
    memcpy(put(batch, sizeof any), &any, sizeof any);
    attribute(batch, IFLA_IFNAME, "eth0", 5);
    attribute(batch, IFLA_ADDRESS, pod->pod_mac, MAC_BYTES);
    attribute_u32(batch, IFLA_MTU, MTU);
    attribute_u32(batch, IFLA_NET_NS_FD, (uint32_t)pod->namespace);
    end(batch, peer);
    end(batch, data);
    end(batch, info);
}

static void look_at(struct batch *batch, const char *device) {
    struct ifinfomsg any = {0};
    begin(batch, RTM_GETLINK, 0, &any, sizeof any);
    attribute(batch, IFLA_IFNAME, device, strlen(device) + 1);
}

static void set_up(struct batch *batch, int device) {
    struct ifinfomsg up = {.ifi_index = device, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    begin(batch, RTM_NEWLINK, 0, &up, sizeof up);
}

static void mark(struct batch *batch, int device, const char *alias) {
    struct ifinfomsg link = {.ifi_index = device};
    begin(batch, RTM_NEWLINK, 0, &link, sizeof link);
    attribute(batch, IFLA_IFALIAS, alias, strlen(alias));
    begin(batch, RTM_NEWLINK, 0, &link, sizeof link);
    struct rtattr *families = attribute(batch, IFLA_AF_SPEC, NULL, 0);
    struct rtattr *v6 = attribute(batch, AF_INET6, NULL, 0);
    uint8_t mode = ADDR_GEN_NONE;
    attribute(batch, IFLA_INET6_ADDR_GEN_MODE, &mode, sizeof mode);
    end(batch, v6);
    end(batch, families);
}

static void neighbour(struct batch *batch, const uint8_t *address, const uint8_t *mac, int device) {
    struct ndmsg entry = {.ndm_family = AF_INET, .ndm_ifindex = device, .ndm_state = NUD_PERMANENT};
    begin(batch, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &entry, sizeof entry);
    attribute(batch, NDA_DST, address, POD_ADDRESS_BYTES);
    attribute(batch, NDA_LLADDR, mac, MAC_BYTES);
}

/* To one address on the device's link, or, where there is none, to all by the gateway. */
static void route(struct batch *batch, const uint8_t *to, int device) {
    struct rtmsg route = {.rtm_family = AF_INET,
                          .rtm_dst_len = to != NULL ? 32 : 0,
                          .rtm_table = RT_TABLE_MAIN,
                          .rtm_protocol = PROTOCOL,
                          .rtm_scope = to != NULL ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE,
                          .rtm_type = RTN_UNICAST};
    begin(batch, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, &route, sizeof route);
    attribute(batch, to != NULL ? RTA_DST : RTA_GATEWAY, to != NULL ? to : GATEWAY, POD_ADDRESS_BYTES);
    attribute_u32(batch, RTA_OIF, (uint32_t)device);
}

static void rule(struct batch *batch, int type, int flags, const uint8_t *to) {
    struct fib_rule_hdr rule = {.family = AF_INET, .dst_len = 32, .action = FR_ACT_TO_TBL};
    uint8_t protocol = PROTOCOL;
    begin(batch, type, flags, &rule, sizeof rule);
    attribute(batch, FRA_DST, to, POD_ADDRESS_BYTES);
    attribute_u32(batch, FRA_TABLE, RT_TABLE_MAIN);
    attribute_u32(batch, FRA_PRIORITY, TO_POD);
    attribute(batch, FRA_PROTOCOL, &protocol, sizeof protocol);
}

static void address(struct batch *batch, const uint8_t *address, int device) {
    struct ifaddrmsg entry = {.ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = (uint32_t)device};
    begin(batch, RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE, &entry, sizeof entry);
    attribute(batch, IFA_LOCAL, address, POD_ADDRESS_BYTES);
    attribute(batch, IFA_ADDRESS, address, POD_ADDRESS_BYTES);
}

static void inside(const struct pod *pod, int home) {
    struct batch batch = {.size = 0};
    if (setns(pod->namespace, CLONE_NEWNET) != 0) {
        fail("enter the pod's namespace");
    }
    int socket = netlink_socket();
    if (setns(home, CLONE_NEWNET) != 0) {
        fail("come back from the pod's namespace");
    }
    look_at(&batch, "eth0");
    int device = exchange(socket, &batch);
    set_up(&batch, 1);
    set_up(&batch, device);
    address(&batch, pod->address, device);
    route(&batch, GATEWAY, device);
    route(&batch, NULL, device);
    neighbour(&batch, GATEWAY, pod->host_mac, device);
    exchange(socket, &batch);
    close(socket);
}

void netlink_add(int host_socket, int home, const struct pod *pod) {
    struct batch batch = {.size = 0};
    veth(&batch, pod);
    look_at(&batch, pod->device);
    int device = exchange(host_socket, &batch);
    mark(&batch, device, pod->device);
    set_up(&batch, device);
    neighbour(&batch, pod->address, pod->pod_mac, device);
    route(&batch, pod->address, device);
    rule(&batch, RTM_NEWRULE, NLM_F_CREATE | NLM_F_EXCL, pod->address);
    exchange(host_socket, &batch);
    inside(pod, home);
}

void netlink_del(int host_socket, const struct pod *pod) {
    struct batch batch = {.size = 0};
    struct ifinfomsg any = {0};
    begin(&batch, RTM_DELLINK, 0, &any, sizeof any);
    attribute(&batch, IFLA_IFNAME, pod->device, strlen(pod->device) + 1);
    rule(&batch, RTM_DELRULE, 0, pod->address);
    exchange(host_socket, &batch);
}
