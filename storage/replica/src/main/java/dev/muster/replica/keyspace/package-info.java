/** Which keys of the store are API objects, of which collection, and how they are read. */
@NullMarked
package dev.muster.replica.keyspace;

import org.jspecify.annotations.NullMarked;
