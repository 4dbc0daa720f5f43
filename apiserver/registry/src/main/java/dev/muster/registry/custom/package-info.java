/** Custom resources: the types that definitions make, how their objects are read and converted. */
@NullMarked
package dev.muster.registry.custom;

import org.jspecify.annotations.NullMarked;
