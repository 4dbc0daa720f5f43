/** Who may use the CPU for long, and when. */
@NullMarked
package dev.muster.types.scheduling;

import org.jspecify.annotations.NullMarked;
