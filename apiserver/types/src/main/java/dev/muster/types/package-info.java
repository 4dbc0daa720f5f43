/** The type model: everything that generic code asks a type, and the types of one moment. */
@NullMarked
package dev.muster.types;

import org.jspecify.annotations.NullMarked;
