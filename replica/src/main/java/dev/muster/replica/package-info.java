/** The cluster in memory: snapshots, indexes, watches, the read index. */
@NullMarked
package dev.muster.replica;

import org.jspecify.annotations.NullMarked;
