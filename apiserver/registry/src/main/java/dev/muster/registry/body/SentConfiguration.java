package dev.muster.registry.body;

import dev.muster.wire.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server-side apply, decoded once for all attempts and only when its target
 * object is known. Only one thread uses it.
 */
public final class SentConfiguration {
  private final RequestDecoder requestDecoder;
  private final Encoding encoding;
  private final byte[] body;
  private @Nullable AppliedBody known;

  public SentConfiguration(RequestDecoder requestDecoder, Encoding encoding, byte[] body) {
    this.requestDecoder = requestDecoder;
    this.encoding = encoding;
    this.body = body;
  }

  public AppliedBody read() {
    var read = known == null ? requestDecoder.applied(encoding, body) : known;
    known = read;
    return read;
  }
}
