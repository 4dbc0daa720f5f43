/** In which versions this server stores and reads each resource, told to the fleet. */
@NullMarked
package dev.muster.fleet.storageversions;

import org.jspecify.annotations.NullMarked;
