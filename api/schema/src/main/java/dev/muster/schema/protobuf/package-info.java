/** Objects in protobuf, byte for byte like upstream. */
@NullMarked
package dev.muster.schema.protobuf;

import org.jspecify.annotations.NullMarked;
