/** Fleets of real servers: processes on etcd, and several servers in one process. */
@NullMarked
package dev.muster.it.fleet;

import org.jspecify.annotations.NullMarked;
