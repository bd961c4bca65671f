/// The kernel's routing tables, devices and namespaces: rtnetlink over `java.lang.foreign`.
@NullMarked
package io.podledger.ipamd.netlink;

import org.jspecify.annotations.NullMarked;
