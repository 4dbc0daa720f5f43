/** IP addresses and CIDR ranges of both families. */
@NullMarked
package dev.muster.model.address;

import org.jspecify.annotations.NullMarked;
