@NullMarked
package dev.muster.fleet.identity;

import org.jspecify.annotations.NullMarked;
