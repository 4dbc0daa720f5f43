/** Names and numbers of TLS cipher suites and key exchanges in flags. */
@NullMarked
package dev.muster.server.options.tls;

import org.jspecify.annotations.NullMarked;
