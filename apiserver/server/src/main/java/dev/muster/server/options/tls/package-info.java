/** Names and numbers of what TLS offers, as flags say them. */
@NullMarked
package dev.muster.server.options.tls;

import org.jspecify.annotations.NullMarked;
