/** Samples for people who write tests; docs/testing.md shows them. */
@NullMarked
package dev.muster.junit.sample;

import org.jspecify.annotations.NullMarked;
