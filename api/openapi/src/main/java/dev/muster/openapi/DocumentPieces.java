package dev.muster.openapi;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts documents together from fragments, whose bytes they share. Used by one thread. */
final class DocumentPieces {
  private static final byte[] COMMA = {','};

  private final List<byte[]> all = new ArrayList<>();

  /** A document of version 2 around fragments. */
  static List<byte[]> swagger(
      JsonObject before, List<Fragment> fragments, JsonObject after, Fragment.Form form) {
    var pieces = new DocumentPieces();
    var paths = fragments.stream().map(Fragment::paths).toList();
    var definitions = fragments.stream().map(Fragment::definitions).toList();
    switch (form) {
      case JSON ->
          pieces
              .open(before)
              .members(",\"paths\":{", paths)
              .members("},\"definitions\":{", definitions)
              .text("},")
              .close(after);
      case PROTOBUF -> {
        pieces.all.add(OpenApiProtobuf.head(before));
        pieces.message(8, paths);
        pieces.message(9, definitions);
        pieces.all.add(OpenApiProtobuf.tail(after));
      }
    }
    return pieces.all;
  }

  /**
   * A document of version 3 around fragments.
   *
   * @param components what there is beside the schemas
   */
  static List<byte[]> openApi(JsonObject before, List<Fragment> fragments, JsonObject components) {
    var pieces = new DocumentPieces().open(before);
    pieces.members(",\"paths\":{", fragments.stream().map(Fragment::paths).toList());
    var definitions = fragments.stream().map(Fragment::definitions).toList();
    pieces.text("},\"components\":{");
    if (definitions.stream().anyMatch(some -> some.length > 0)) {
      pieces.members("\"schemas\":{", definitions).text(components.isEmpty() ? "}" : "},");
    }
    return pieces.close(components).text("}").all;
  }

  /** The object without its last brace. */
  private DocumentPieces open(JsonObject object) {
    var text = JsonWriter.bytes(object);
    all.add(Arrays.copyOf(text, text.length - 1));
    return this;
  }

  /** The object without its first brace. */
  private DocumentPieces close(JsonObject object) {
    var text = JsonWriter.bytes(object);
    all.add(Arrays.copyOfRange(text, 1, text.length));
    return this;
  }

  private DocumentPieces text(String text) {
    all.add(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  private DocumentPieces members(String opening, List<byte[]> members) {
    text(opening);
    boolean first = true;
    for (var some : members) {
      if (some.length > 0) {
        if (!first) {
          all.add(COMMA);
        }
        first = false;
        all.add(some);
      }
    }
    return this;
  }

  private void message(int number, List<byte[]> content) {
    long length = content.stream().mapToLong(some -> some.length).sum();
    all.add(OpenApiProtobuf.opening(number, length));
    all.addAll(content);
  }
}
