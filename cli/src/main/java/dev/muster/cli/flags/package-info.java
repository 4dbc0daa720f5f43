/** Flags as Go programs take them, read into option records. */
@NullMarked
package dev.muster.cli.flags;

import org.jspecify.annotations.NullMarked;
