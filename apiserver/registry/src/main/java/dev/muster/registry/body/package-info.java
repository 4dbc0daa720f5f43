/** Bodies of requests, from bytes in any encoding to objects of a type. */
@NullMarked
package dev.muster.registry.body;

import org.jspecify.annotations.NullMarked;
