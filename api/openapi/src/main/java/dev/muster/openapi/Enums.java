package dev.muster.openapi;

import dev.muster.model.json.JsonArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which texts a field takes, where they are few: {@code enums.txt}. Immutable. */
final class Enums {
  private static volatile SoftReference<Enums> remembered = new SoftReference<>(null);

  private final Map<String, JsonArray> values;

  private Enums(Map<String, JsonArray> values) {
    this.values = values;
  }

  /** What the file says that the build holds; kept while memory allows. */
  static Enums remembered() {
    var known = remembered.get();
    if (known == null) {
      known = load();
      remembered = new SoftReference<>(known);
    }
    return known;
  }

  private static Enums load() {
    try (var in = Enums.class.getResourceAsStream("enums.txt")) {
      if (in == null) {
        throw new IllegalStateException("the enums are missing from this build");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the enums", e);
    }
  }

  private static Enums parse(String text) {
    var values = new HashMap<String, JsonArray>();
    var prefix = "";
    for (var line : text.lines().toList()) {
      if (line.startsWith("[")) {
        prefix = line.substring(1, line.length() - 1) + ".";
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        int colon = line.indexOf(": ");
        values.put(
            prefix + line.substring(0, colon),
            JsonArray.ofStrings(List.of(line.substring(colon + 2).split(", ", -1))));
      }
    }
    return new Enums(values);
  }

  /** The fields that take few texts, each after its struct. */
  Set<String> fields() {
    return values.keySet();
  }

  /** The texts of a field or of its members; empty where any text will do. */
  JsonArray of(String struct, String field) {
    return values.getOrDefault(struct + "." + field, JsonArray.EMPTY);
  }
}
