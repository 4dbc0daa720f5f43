/** Estimates of the seats that requests need. */
@NullMarked
package dev.muster.flowcontrol.width;

import org.jspecify.annotations.NullMarked;
