/** What clients did and saw while servers failed, and whether that can be true. */
@NullMarked
package dev.muster.it.history;

import org.jspecify.annotations.NullMarked;
