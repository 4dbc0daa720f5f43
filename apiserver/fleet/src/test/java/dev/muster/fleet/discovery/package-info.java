@NullMarked
package dev.muster.fleet.discovery;

import org.jspecify.annotations.NullMarked;
