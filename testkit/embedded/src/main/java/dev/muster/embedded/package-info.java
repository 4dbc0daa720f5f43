/** A control plane in memory for tests, with or without JUnit. */
@NullMarked
package dev.muster.embedded;

import org.jspecify.annotations.NullMarked;
