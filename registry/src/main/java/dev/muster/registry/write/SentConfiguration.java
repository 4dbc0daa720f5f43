package dev.muster.registry.write;

import dev.muster.registry.body.AppliedBody;
import dev.muster.registry.body.Bodies;
import dev.muster.wire.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that somebody applies, read when it is looked at first, for all attempts. Used
 * by one thread at a time.
 */
final class SentConfiguration {
  private final Bodies bodies;
  private final Encoding encoding;
  private final byte[] body;
  private @Nullable AppliedBody read;

  SentConfiguration(Bodies bodies, Encoding encoding, byte[] body) {
    this.bodies = bodies;
    this.encoding = encoding;
    this.body = body;
  }

  /**
   * @throws dev.muster.model.status.ApiException when it cannot be read
   */
  AppliedBody read() {
    var known = read;
    if (known == null) {
      known = bodies.applied(encoding, body);
      read = known;
    }
    return known;
  }
}
