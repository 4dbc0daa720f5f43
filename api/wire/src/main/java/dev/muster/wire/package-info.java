/** JSON, YAML, protobuf and CBOR encodings, content negotiation. */
@NullMarked
package dev.muster.wire;

import org.jspecify.annotations.NullMarked;
