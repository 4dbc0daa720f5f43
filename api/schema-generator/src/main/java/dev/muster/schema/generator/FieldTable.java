package dev.muster.schema.generator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the client's jars do not say about types: {@code fields.txt}, which explains itself. Every
 * entry must be asked for in the course of a build; one that nobody asks for is a mistake.
 */
final class FieldTable {
  /** A section: the package of its structs, the API group that they belong to. */
  record Section(String definitions, String group, Map<String, Struct> structs) {}

  /** A struct: marks of its own, and its fields with theirs. */
  record Struct(String name, Set<String> marks, Map<String, Set<String>> fields) {}

  private final Map<String, Section> sections = new LinkedHashMap<>();

  static FieldTable load() {
    try (var in = FieldTable.class.getResourceAsStream("fields.txt")) {
      if (in == null) {
        throw new IllegalStateException("no fields.txt");
      }
      return new FieldTable(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FieldTable(String text) {
    Section section = null;
    Struct struct = null;
    for (var line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var words = List.of(line.strip().split(" +"));
      var marks = new LinkedHashSet<>(words.subList(1, words.size()));
      if (line.startsWith("[")) {
        var name = words.get(0).substring(1, words.get(0).length() - 1);
        section = new Section(name, words.size() > 1 ? words.get(1) : "", new LinkedHashMap<>());
        sections.put(name, section);
      } else if (section == null) {
        throw new IllegalArgumentException("a struct outside any section: " + line);
      } else if (!line.startsWith(" ")) {
        struct = new Struct(words.get(0), marks, new LinkedHashMap<>());
        section.structs().put(struct.name(), struct);
      } else if (struct == null || struct.fields().put(words.get(0), marks) != null) {
        throw new IllegalArgumentException("a field outside any struct, or twice: " + line);
      }
    }
  }

  Set<String> packages() {
    return sections.keySet();
  }

  String group(String definitions) {
    return section(definitions).group();
  }

  /** The structs whose fields are all listed in the table, because no jar has them. */
  List<String> whole() {
    var names = new ArrayList<String>();
    for (var section : sections.values()) {
      for (var struct : section.structs().values()) {
        if (struct.marks().contains("whole")) {
          names.add(section.definitions() + "." + struct.name());
        }
      }
    }
    return names;
  }

  Struct struct(String definition) {
    int dot = definition.lastIndexOf('.');
    var name = definition.substring(dot + 1);
    var found = section(definition.substring(0, dot)).structs().get(name);
    return found == null ? new Struct(name, Set.of(), Map.of()) : found;
  }

  private Section section(String definitions) {
    var section = sections.get(definitions);
    if (section == null) {
      throw new IllegalArgumentException("no section [" + definitions + "] in fields.txt");
    }
    return section;
  }

  List<String> allEntries() {
    var entries = new ArrayList<String>();
    for (var section : sections.values()) {
      for (var struct : section.structs().values()) {
        struct
            .fields()
            .keySet()
            .forEach(
                field -> entries.add(section.definitions() + "." + struct.name() + " " + field));
      }
    }
    return entries;
  }
}
