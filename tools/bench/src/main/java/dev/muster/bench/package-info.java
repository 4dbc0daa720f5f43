/** The load generator. */
@NullMarked
package dev.muster.bench;

import org.jspecify.annotations.NullMarked;
