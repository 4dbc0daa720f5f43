/** The versions in which this server stores and reads each resource, published to the fleet. */
@NullMarked
package dev.muster.fleet.storageversions;

import org.jspecify.annotations.NullMarked;
