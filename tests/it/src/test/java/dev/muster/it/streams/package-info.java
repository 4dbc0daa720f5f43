@NullMarked
package dev.muster.it.streams;

import org.jspecify.annotations.NullMarked;
