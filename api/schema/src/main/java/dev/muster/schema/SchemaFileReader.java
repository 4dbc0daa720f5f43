package dev.muster.schema;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.schema.Field.WhenEmpty;
import dev.muster.wire.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema file that the build generates: a table of all texts, then the structs, which
 * refer to the texts by index. Any thread decodes the fields of a struct on first use, because most
 * processes never use most of the types.
 */
final class SchemaFileReader {
  private static final int SCALAR = 0;
  private static final int STRUCT = 1;
  private static final int GRANULAR_STRUCT = 2;
  private static final int LIST = 3;
  private static final int WRAPPED_LIST = 4;
  private static final int MAP = 5;
  private static final int ATOMIC_MAP = 6;

  private final byte[] file;
  private final String[] texts;
  private final List<StructShape> structs = new ArrayList<>();
  private final Map<StructShape, StructShape> granular = new ConcurrentHashMap<>();

  private SchemaFileReader(byte[] file, DataInputStream in) throws IOException {
    this.file = file;
    texts = new String[in.readUnsignedShort()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readUTF();
    }
  }

  /** The content of the file: all structs, and the structs that are kinds. */
  record Content(List<StructShape> structs, Map<GroupVersionKind, StructShape> kinds) {
    Content with(Content more) {
      var allStructs = new ArrayList<>(structs);
      allStructs.addAll(more.structs);
      var allKinds = new HashMap<>(kinds);
      allKinds.putAll(more.kinds);
      return new Content(allStructs, allKinds);
    }
  }

  static Content load() {
    try (var resource = SchemaFileReader.class.getResourceAsStream("schemas.bin")) {
      if (resource == null) {
        throw new IllegalStateException("the schemas are missing from this build");
      }
      var file = resource.readAllBytes();
      var in = new DataInputStream(new ByteArrayInputStream(file));
      return new SchemaFileReader(file, in).read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schemas", e);
    }
  }

  private Content read(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    var names = new String[count];
    var atomic = new boolean[count];
    var groups = new @Nullable String[count];
    for (int i = 0; i < count; i++) {
      names[i] = text(in);
      int flags = in.readByte();
      atomic[i] = (flags & 1) != 0;
      groups[i] = (flags & 2) != 0 ? text(in) : null;
    }
    var sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = in.readUnsignedShort();
    }
    var kinds = new HashMap<GroupVersionKind, StructShape>();
    int begin = file.length - in.available();
    for (int i = 0; i < count; i++) {
      int at = begin;
      int size = sizes[i];
      var struct = StructShape.later(names[i], atomic[i], () -> fields(at, size));
      structs.add(struct);
      var group = groups[i];
      if (group != null) {
        var parts = names[i].split("\\.");
        var version = parts[parts.length - 2];
        kinds.put(new GroupVersionKind(group, version, parts[parts.length - 1]), struct);
      }
      begin += size;
    }
    return new Content(structs, kinds);
  }

  private List<Field> fields(int begin, int size) {
    try {
      var in = new DataInputStream(new ByteArrayInputStream(file, begin, size));
      int count = in.readUnsignedShort();
      var fields = new ArrayList<Field>(count);
      for (int i = 0; i < count; i++) {
        fields.add(field(in));
      }
      return fields;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schemas", e);
    }
  }

  private Field field(DataInputStream in) throws IOException {
    var name = text(in);
    int number = in.readUnsignedShort();
    int flags = in.readByte();
    var whenEmpty = WhenEmpty.valueOf(text(in));
    var shape = shape(in);
    Json defaultValue = null;
    if ((flags & 8) != 0) {
      defaultValue = JsonReader.read(text(in).getBytes(StandardCharsets.UTF_8));
    }
    var patch = Field.Patch.NONE;
    if ((flags & 16) != 0) {
      int strategy = in.readByte();
      patch =
          new Field.Patch((strategy & 1) != 0, (strategy & 2) != 0, (strategy & 4) != 0, text(in));
    }
    var type = (flags & 32) == 0 ? "" : text(in);
    var within = new ArrayList<Field.Go.Embedded>();
    if ((flags & 64) != 0) {
      for (int i = in.readByte(); i > 0; i--) {
        within.add(new Field.Go.Embedded(in.readUnsignedShort(), text(in)));
      }
    }
    var go = type.isEmpty() && within.isEmpty() ? Field.Go.PLAIN : new Field.Go(type, within);
    return new Field(name, number, shape, (flags & 1) != 0, whenEmpty, defaultValue, patch, go);
  }

  private Shape shape(DataInputStream in) throws IOException {
    int tag = in.readByte();
    return switch (tag) {
      case SCALAR -> Scalar.valueOf(text(in));
      case STRUCT -> structs.get(in.readUnsignedShort());
      case GRANULAR_STRUCT ->
          granular.computeIfAbsent(
              structs.get(in.readUnsignedShort()),
              s -> StructShape.later(s.name(), false, s::fields));
      case LIST, WRAPPED_LIST -> {
        var kind = text(in);
        var keys = new ArrayList<String>();
        for (int i = in.readByte(); i > 0; i--) {
          keys.add(text(in));
        }
        boolean declared = !kind.isEmpty();
        yield new ListShape(
            shape(in),
            declared ? ListShape.Kind.valueOf(kind) : ListShape.Kind.ATOMIC,
            keys,
            declared,
            tag == WRAPPED_LIST);
      }
      case MAP, ATOMIC_MAP -> new MapShape(shape(in), tag == ATOMIC_MAP);
      default -> throw new IOException("unknown shape " + tag);
    };
  }

  private String text(DataInputStream in) throws IOException {
    return texts[in.readUnsignedShort()];
  }
}
