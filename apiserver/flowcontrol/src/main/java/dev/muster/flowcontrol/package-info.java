/**
 * API priority and fairness: classifies requests into flows and priority levels, and decides which
 * requests run, wait or are refused.
 *
 * <ul>
 *   <li>{@link PriorityLevels} is the entry point.
 *   <li>{@link QueueSet} holds the queues and seats of a level.
 *   <li>{@link FlowDumps} formats the debug tables.
 *   <li>{@code config} holds compiled configuration objects, {@code width} estimates the seats of a
 *       request, {@code metrics} holds statistics.
 * </ul>
 *
 * <p>There is no I/O and no clock: callers pass times.
 */
@NullMarked
package dev.muster.flowcontrol;

import org.jspecify.annotations.NullMarked;
