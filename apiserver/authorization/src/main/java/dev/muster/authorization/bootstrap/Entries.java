package dev.muster.authorization.bootstrap;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parses the data files of this package: entries of one line and indented further lines, with words
 * separated by spaces and lists by commas.
 */
final class Entries {
  private Entries() {}

  /** One entry. */
  record Entry(List<String> head, List<List<String>> lines) {
    /** The word that follows the given one in the first line, or "". */
    String after(String word) {
      int index = head.indexOf(word);
      return index < 0 ? "" : head.get(index + 1);
    }

    /** The value of {@code name=} in the first line, or "". */
    String value(String name) {
      return head.stream()
          .filter(word -> word.startsWith(name + "="))
          .map(word -> word.substring(name.length() + 1))
          .findFirst()
          .orElse("");
    }

    /** The lines with subjects: users, groups, service accounts. */
    List<List<String>> subjects() {
      return lines.stream().filter(line -> line.size() == 2).toList();
    }

    /** The lines with rules: verbs on resources or paths. */
    List<List<String>> rules() {
      return lines.stream().filter(line -> line.size() > 2).toList();
    }
  }

  static List<Entry> read(String resource) {
    try (var in = Entries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file " + resource);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Entry> parse(String text) {
    var entries = new ArrayList<Entry>();
    for (var line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var words = Arrays.asList(line.strip().split(" +"));
      if (line.startsWith(" ")) {
        entries.getLast().lines().add(words);
      } else {
        entries.add(new Entry(words, new ArrayList<>()));
      }
    }
    return entries;
  }

  static JsonArray list(String commaSeparated) {
    return JsonArray.ofStrings(List.of(commaSeparated.split(",")));
  }

  /** A list of API groups; {@code core} stands for the group without a name. */
  static JsonArray groups(String commaSeparated) {
    return list(commaSeparated).map(g -> "core".equals(g.text()) ? Json.of("") : g);
  }

  static JsonObject metadata(String path, JsonObject labels, JsonObject annotations) {
    int slash = path.indexOf('/');
    var metadata =
        JsonObject.builder()
            .put("name", path.substring(slash + 1))
            .putIf("namespace", slash < 0 ? "" : path.substring(0, slash));
    if (!labels.isEmpty()) {
      metadata.put("labels", labels);
    }
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    return metadata.build();
  }
}
