@NullMarked
package dev.muster.runtime;

import org.jspecify.annotations.NullMarked;
