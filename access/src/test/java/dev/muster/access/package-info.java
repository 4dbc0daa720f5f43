@NullMarked
package dev.muster.access;

import org.jspecify.annotations.NullMarked;
