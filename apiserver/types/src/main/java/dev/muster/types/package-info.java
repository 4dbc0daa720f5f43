/**
 * The type model: what generic code knows about each resource, and the set of all types at one
 * revision.
 */
@NullMarked
package dev.muster.types;

import org.jspecify.annotations.NullMarked;
