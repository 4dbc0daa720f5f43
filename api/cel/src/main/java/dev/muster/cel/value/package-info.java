/**
 * The values that expressions work on. Booleans, ints, doubles and texts are Java's {@code
 * Boolean}, {@code Long}, {@code Double} and {@code String}; durations and times are {@code
 * Duration} and {@code Instant}; what Java has no class for is here.
 */
@NullMarked
package dev.muster.cel.value;

import org.jspecify.annotations.NullMarked;
