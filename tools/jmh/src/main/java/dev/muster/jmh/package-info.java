/** The functions that requests spend most of their time in, each by itself. */
@NullMarked
package dev.muster.jmh;

import org.jspecify.annotations.NullMarked;
