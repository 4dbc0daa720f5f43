/**
 * API priority and fairness: which request belongs to which flow and level, who runs and who waits.
 * No I/O and no clock of its own: times are handed in.
 */
@NullMarked
package dev.muster.access.flow;

import org.jspecify.annotations.NullMarked;
