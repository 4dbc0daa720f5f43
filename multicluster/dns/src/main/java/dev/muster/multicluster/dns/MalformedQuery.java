package dev.muster.multicluster.dns;

import io.netty.handler.codec.dns.DnsOpCode;
import java.net.InetSocketAddress;

/** A message whose head says that it is a query and whose rest cannot be read. */
record MalformedQuery(
    int id,
    DnsOpCode operation,
    boolean recursionDesired,
    InetSocketAddress sender,
    InetSocketAddress recipient) {}
