/** The ways out of this server: directly, or through a proxy that an egress selector names. */
@NullMarked
package dev.muster.server.egress;

import org.jspecify.annotations.NullMarked;
