@NullMarked
package dev.muster.fleet.endpoints;

import org.jspecify.annotations.NullMarked;
