/** Flags as Go programs take them, read into option records. */
@NullMarked
package dev.muster.server.flags;

import org.jspecify.annotations.NullMarked;
