package dev.muster.server.answer;

import dev.muster.wire.Bytes;

/** Writes watch events as JSON. */
final class Frames {
  private Frames() {}

  static byte[] json(String type, byte[] object) {
    var out = new Bytes(object.length + 32);
    out.addAscii("{\"type\":\"");
    out.addAscii(type);
    out.addAscii("\",\"object\":");
    out.add(object);
    out.add('}');
    out.add('\n');
    return out.toArray();
  }
}
