/** Addresses and ranges of IP, both families. */
@NullMarked
package dev.muster.model.address;

import org.jspecify.annotations.NullMarked;
