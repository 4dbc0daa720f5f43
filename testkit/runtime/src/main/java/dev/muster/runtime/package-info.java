/** Controllers in the process of a test cluster, and the configuration of Netty there. */
@NullMarked
package dev.muster.runtime;

import org.jspecify.annotations.NullMarked;
