/** The command {@code muster status}. */
@NullMarked
package dev.muster.cli.status;

import org.jspecify.annotations.NullMarked;
