/** The {@code muster} command. */
@NullMarked
package dev.muster.cli;

import org.jspecify.annotations.NullMarked;
