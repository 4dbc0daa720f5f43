/** Command-line flags in the syntax of Go programs, parsed into option records. */
@NullMarked
package dev.muster.server.flags;

import org.jspecify.annotations.NullMarked;
