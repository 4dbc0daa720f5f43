/**
 * The values of expressions. Bools, ints, doubles and strings are Java's {@code Boolean}, {@code
 * Long}, {@code Double} and {@code String}; durations and timestamps are {@code Duration} and
 * {@code Instant}. This package has classes for all other types.
 */
@NullMarked
package dev.muster.cel.value;

import org.jspecify.annotations.NullMarked;
