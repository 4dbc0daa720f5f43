package dev.muster.jmh;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A pod of two containers as a cluster has thousands of. */
final class SamplePod {
  private SamplePod() {}

  static JsonObject tree() {
    try (var file = Objects.requireNonNull(SamplePod.class.getResourceAsStream("pod.json"))) {
      return (JsonObject) JsonReader.read(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its compact JSON. */
  static byte[] bytes() {
    return JsonWriter.bytes(tree());
  }
}
