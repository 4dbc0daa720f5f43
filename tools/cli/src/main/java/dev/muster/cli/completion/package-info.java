/** Shell completion. */
@NullMarked
package dev.muster.cli.completion;

import org.jspecify.annotations.NullMarked;
