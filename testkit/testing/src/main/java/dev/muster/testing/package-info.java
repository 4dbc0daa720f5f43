/** Test support: the store contract, and real processes that end with a test. */
@NullMarked
package dev.muster.testing;

import org.jspecify.annotations.NullMarked;
