/**
 * A stored object as it is kept in memory: its bytes, its other encodings and what it is looked up
 * by.
 */
@NullMarked
package dev.muster.replica.object;

import org.jspecify.annotations.NullMarked;
