/** The log on disk, for one machine. */
@NullMarked
package dev.muster.store.embedded;

import org.jspecify.annotations.NullMarked;
