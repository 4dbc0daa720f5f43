/** Tests of the replica. */
@NullMarked
package dev.muster.replica;

import org.jspecify.annotations.NullMarked;
