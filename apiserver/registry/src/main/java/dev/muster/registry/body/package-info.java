/** Decodes request bodies of any encoding to objects of a type. */
@NullMarked
package dev.muster.registry.body;

import org.jspecify.annotations.NullMarked;
