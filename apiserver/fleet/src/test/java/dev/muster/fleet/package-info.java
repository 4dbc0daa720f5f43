@NullMarked
package dev.muster.fleet;

import org.jspecify.annotations.NullMarked;
