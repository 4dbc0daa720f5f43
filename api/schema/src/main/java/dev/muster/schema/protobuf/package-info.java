/** Objects in protobuf, byte for byte as upstream. */
@NullMarked
package dev.muster.schema.protobuf;

import org.jspecify.annotations.NullMarked;
