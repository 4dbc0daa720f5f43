/** The JSON, YAML and CBOR encodings, and the negotiation of media types. */
@NullMarked
package dev.muster.wire;

import org.jspecify.annotations.NullMarked;
