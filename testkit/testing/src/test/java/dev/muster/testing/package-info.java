@NullMarked
package dev.muster.testing;

import org.jspecify.annotations.NullMarked;
