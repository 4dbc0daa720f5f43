/** The store that keeps its log on the local disk (RocksDB), for one machine. */
@NullMarked
package dev.muster.store.embedded;

import org.jspecify.annotations.NullMarked;
