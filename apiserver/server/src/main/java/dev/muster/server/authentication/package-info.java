/** Token issuers: their configuration, the connections to them, and their metrics. */
@NullMarked
package dev.muster.server.authentication;

import org.jspecify.annotations.NullMarked;
