package dev.muster.schema;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.schema.Field.WhenEmpty;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds in versions that are no longer served but that a store may still contain. Read from {@code
 * former-kinds.txt}, which explains its format, on first use. Immutable.
 */
public final class LegacyKinds {
  private static final class Loaded {
    static final Map<GroupVersionKind, FormerKind> KINDS = load();
  }

  /**
   * A kind in a legacy version.
   *
   * @param shape its struct in that version
   * @param served the served kind that replaced it
   */
  public record FormerKind(GroupVersionKind kind, StructShape shape, GroupVersionKind served) {}

  private record FieldLine(String name, int number, String shape) {}

  private final GroupVersion version;
  private final String definitions;
  private final List<String> kinds = new ArrayList<>();
  private final Map<String, List<FieldLine>> listed = new LinkedHashMap<>();
  private final Map<String, StructShape> made = new HashMap<>();

  private LegacyKinds(GroupVersion version, String definitions) {
    this.version = version;
    this.definitions = definitions;
  }

  /** The legacy kind, or null when that kind is not a legacy one. */
  public static @Nullable FormerKind of(GroupVersionKind kind) {
    return Loaded.KINDS.get(kind);
  }

  public static Map<GroupVersionKind, FormerKind> all() {
    return Loaded.KINDS;
  }

  private static Map<GroupVersionKind, FormerKind> load() {
    var known = new LinkedHashMap<GroupVersionKind, FormerKind>();
    sections(text()).forEach(section -> section.addTo(known));
    return Collections.unmodifiableMap(known);
  }

  private static String text() {
    try (var in = LegacyKinds.class.getResourceAsStream("former-kinds.txt")) {
      if (in == null) {
        throw new IllegalStateException("the table of former kinds is missing from this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the table of former kinds", e);
    }
  }

  private static List<LegacyKinds> sections(String text) {
    var sections = new ArrayList<LegacyKinds>();
    var struct = new ArrayList<FieldLine>();
    for (var line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var words = List.of(line.strip().split(" +"));
      if (line.startsWith("[")) {
        var name = words.getFirst().substring(1, words.getFirst().length() - 1);
        sections.add(new LegacyKinds(GroupVersion.parse(name), words.get(1) + "."));
      } else if (line.startsWith("=")) {
        sections.getLast().kinds.addAll(words.subList(1, words.size()));
      } else if (line.startsWith("  -")) {
        struct.add(new FieldLine(words.getFirst().substring(1), 0, ""));
      } else if (line.startsWith(" ")) {
        struct.add(new FieldLine(words.getFirst(), Integer.parseInt(words.get(1)), words.get(2)));
      } else {
        struct = new ArrayList<>();
        sections.getLast().listed.put(words.getFirst(), struct);
      }
    }
    return sections;
  }

  private void addTo(Map<GroupVersionKind, FormerKind> known) {
    var parts = definitions.split("\\.");
    for (var name : kinds) {
      var kind = version.kind(name);
      var current = Schemas.struct(definitions + name);
      var served =
          Schemas.kinds().stream()
              .filter(candidate -> candidate.kind().equals(name))
              .filter(candidate -> candidate.version().equals(parts[parts.length - 1]))
              .filter(candidate -> Schemas.of(candidate) == current)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no kind has become of " + kind));
      known.put(kind, new FormerKind(kind, struct(name), served));
    }
  }

  /** The struct of that name; the package's current struct where the section does not list it. */
  private StructShape struct(String name) {
    if (name.contains(".")) {
      return Schemas.struct(name);
    }
    if (listed.isEmpty()) {
      return Schemas.struct(definitions + name);
    }
    var known = made.get(name);
    if (known != null) {
      return known;
    }
    var current = Schemas.isBuiltIn(definitions + name) ? Schemas.struct(definitions + name) : null;
    var former = new StructShape(definitions + name, current != null && current.atomic());
    made.put(name, former);
    var fields = new LinkedHashMap<String, Field>();
    if (current != null) {
      current
          .fields()
          .forEach(field -> fields.put(field.name(), with(field, shape(field.shape()))));
    }
    for (var line : listed.getOrDefault(name, List.of())) {
      if (line.number() == 0) {
        if (fields.remove(line.name()) == null) {
          throw new IllegalStateException(definitions + name + " has no field " + line.name());
        }
      } else {
        fields.put(line.name(), field(line));
      }
    }
    former.define(List.copyOf(fields.values()));
    return former;
  }

  private static Field with(Field field, Shape shape) {
    return shape == field.shape()
        ? field
        : new Field(
            field.name(),
            field.number(),
            shape,
            field.required(),
            field.whenEmpty(),
            field.defaultValue(),
            field.patch(),
            field.go());
  }

  /** The shape of a field of the package in this version. */
  private Shape shape(Shape current) {
    return switch (current) {
      case Scalar scalar -> scalar;
      case StructShape struct ->
          struct.name().startsWith(definitions) ? struct(struct.simpleName()) : struct;
      case ListShape list ->
          new ListShape(
              shape(list.items()), list.kind(), list.keys(), list.declared(), list.wrapped());
      case MapShape map -> new MapShape(shape(map.values()), map.atomic());
    };
  }

  private Field field(FieldLine line) {
    boolean kept = line.shape().endsWith("*");
    var shape = named(kept ? line.shape().substring(0, line.shape().length() - 1) : line.shape());
    var whenEmpty = kept || shape instanceof StructShape ? WhenEmpty.KEEP : WhenEmpty.OMIT;
    return new Field(
        line.name(),
        line.number(),
        shape,
        false,
        whenEmpty,
        null,
        Field.Patch.NONE,
        Field.Go.PLAIN);
  }

  private Shape named(String name) {
    if (name.startsWith("[]")) {
      return new ListShape(named(name.substring(2)), ListShape.Kind.ATOMIC, List.of());
    }
    if (name.startsWith("{}")) {
      return new MapShape(named(name.substring(2)), false);
    }
    return Character.isLowerCase(name.charAt(0)) && !name.contains(".")
        ? Scalar.valueOf(name.toUpperCase(Locale.ROOT))
        : struct(name);
  }
}
