@NullMarked
package dev.muster.fleet.storageversions;

import org.jspecify.annotations.NullMarked;
