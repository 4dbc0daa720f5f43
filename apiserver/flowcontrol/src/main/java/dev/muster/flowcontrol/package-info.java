/**
 * API priority and fairness: which request belongs to which flow and level, who runs and who waits.
 * {@link PriorityLevels} is the way in; a level has a {@link QueueSet}, which has the queues and
 * the seats; {@link FlowDumps} shows them. Beside it: {@code config} is what is configured, {@code
 * width} what a request takes, {@code metrics} what is counted. No I/O and no clock of its own:
 * times are handed in.
 */
@NullMarked
package dev.muster.flowcontrol;

import org.jspecify.annotations.NullMarked;
