package dev.muster.server.watch;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.server.answer.WatchEncoding;
import java.util.Arrays;

/**
 * Encodes protobuf watch events without their four length bytes: a WebSocket message carries its
 * own length.
 */
public record BareFrames(WatchEncoding framed) implements WatchEncoding {
  private static final int PREFIX = 4;

  @Override
  public boolean isPrecomputed(StoredObject object) {
    return framed.isPrecomputed(object);
  }

  @Override
  public byte[] frame(EventKind kind, WatchEvent event) {
    return bare(framed.frame(kind, event));
  }

  @Override
  public byte[] initial(StoredObject object) {
    return bare(framed.initial(object));
  }

  @Override
  public byte[] bookmark(long revision, boolean endOfInitialEvents) {
    return bare(framed.bookmark(revision, endOfInitialEvents));
  }

  @Override
  public byte[] error(JsonObject status) {
    return bare(framed.error(status));
  }

  private static byte[] bare(byte[] frame) {
    return Arrays.copyOfRange(frame, PREFIX, frame.length);
  }
}
