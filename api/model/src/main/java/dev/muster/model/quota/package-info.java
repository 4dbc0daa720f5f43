/** Measures how much of a namespace's quota objects use. */
@NullMarked
package dev.muster.model.quota;

import org.jspecify.annotations.NullMarked;
