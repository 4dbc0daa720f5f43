@NullMarked
package dev.muster.junit;

import org.jspecify.annotations.NullMarked;
