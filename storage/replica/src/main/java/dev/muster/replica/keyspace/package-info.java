/** Maps store keys to collections, and names the decoder of each collection. */
@NullMarked
package dev.muster.replica.keyspace;

import org.jspecify.annotations.NullMarked;
