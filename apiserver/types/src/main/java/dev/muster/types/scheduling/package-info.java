/** Schedules work that uses the CPU for long. */
@NullMarked
package dev.muster.types.scheduling;

import org.jspecify.annotations.NullMarked;
