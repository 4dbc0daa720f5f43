package dev.muster.multicluster.dns;

import io.netty.handler.codec.dns.DnsOpCode;
import java.net.InetSocketAddress;

/** A message whose header is that of a query and whose remainder cannot be decoded. */
record MalformedQuery(
    int id,
    DnsOpCode operation,
    boolean recursionDesired,
    InetSocketAddress sender,
    InetSocketAddress recipient) {}
