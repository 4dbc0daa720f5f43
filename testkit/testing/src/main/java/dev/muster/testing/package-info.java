/** For tests only: the contract that every store keeps, and real processes that end with a test. */
@NullMarked
package dev.muster.testing;

import org.jspecify.annotations.NullMarked;
