/**
 * Custom resources: the types that definitions declare, and how their objects are decoded,
 * validated and converted.
 */
@NullMarked
package dev.muster.registry.custom;

import org.jspecify.annotations.NullMarked;
