/** Completion of command lines by shells. */
@NullMarked
package dev.muster.cli.completion;

import org.jspecify.annotations.NullMarked;
