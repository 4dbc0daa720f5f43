/** Garbage collection by owner references, including foreground deletion and orphaning. */
@NullMarked
package dev.muster.controllers.garbagecollector;

import org.jspecify.annotations.NullMarked;
