/** Encodes objects for the store and decodes stored values. */
@NullMarked
package dev.muster.schema.storage;

import org.jspecify.annotations.NullMarked;
