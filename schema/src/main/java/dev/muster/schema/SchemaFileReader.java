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

/** Reads the file that the build makes: all texts once, then the structs with indexes into them. */
final class SchemaFileReader {
  private static final int SCALAR = 0;
  private static final int STRUCT = 1;
  private static final int GRANULAR_STRUCT = 2;
  private static final int LIST = 3;
  private static final int WRAPPED_LIST = 4;
  private static final int MAP = 5;
  private static final int ATOMIC_MAP = 6;

  private final DataInputStream in;
  private final String[] texts;
  private final List<StructShape> structs = new ArrayList<>();
  private final Map<StructShape, StructShape> granular = new HashMap<>();
  private final Map<GroupVersionKind, StructShape> kinds = new HashMap<>();

  private SchemaFileReader(DataInputStream in) throws IOException {
    this.in = in;
    texts = new String[in.readUnsignedShort()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readUTF();
    }
  }

  /** What the file holds: all structs, and those that are kinds. */
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
      var bytes = new ByteArrayInputStream(resource.readAllBytes());
      return new SchemaFileReader(new DataInputStream(bytes)).read();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schemas", e);
    }
  }

  private Content read() throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      var name = text();
      int flags = in.readByte();
      var struct = new StructShape(name, (flags & 1) != 0);
      structs.add(struct);
      if ((flags & 2) != 0) {
        var parts = name.split("\\.");
        var version = parts[parts.length - 2];
        kinds.put(new GroupVersionKind(text(), version, parts[parts.length - 1]), struct);
      }
    }
    for (var struct : structs) {
      int size = in.readUnsignedShort();
      var fields = new ArrayList<Field>(size);
      for (int i = 0; i < size; i++) {
        fields.add(field());
      }
      struct.define(fields);
    }
    granular.forEach((struct, copy) -> copy.define(struct.fields()));
    return new Content(structs, kinds);
  }

  private Field field() throws IOException {
    var name = text();
    int number = in.readUnsignedShort();
    int flags = in.readByte();
    var whenEmpty = WhenEmpty.valueOf(text());
    var shape = shape();
    Json defaultValue = null;
    if ((flags & 8) != 0) {
      defaultValue = JsonReader.read(text().getBytes(StandardCharsets.UTF_8));
    }
    var patch = Field.Patch.NONE;
    if ((flags & 16) != 0) {
      int strategy = in.readByte();
      patch =
          new Field.Patch((strategy & 1) != 0, (strategy & 2) != 0, (strategy & 4) != 0, text());
    }
    var type = (flags & 32) == 0 ? "" : text();
    var within = new ArrayList<Field.Go.Embedded>();
    if ((flags & 64) != 0) {
      for (int i = in.readByte(); i > 0; i--) {
        within.add(new Field.Go.Embedded(in.readUnsignedShort(), text()));
      }
    }
    var go = type.isEmpty() && within.isEmpty() ? Field.Go.PLAIN : new Field.Go(type, within);
    return new Field(name, number, shape, (flags & 1) != 0, whenEmpty, defaultValue, patch, go);
  }

  private Shape shape() throws IOException {
    int tag = in.readByte();
    return switch (tag) {
      case SCALAR -> Scalar.valueOf(text());
      case STRUCT -> structs.get(in.readUnsignedShort());
      case GRANULAR_STRUCT ->
          granular.computeIfAbsent(
              structs.get(in.readUnsignedShort()), s -> new StructShape(s.name(), false));
      case LIST, WRAPPED_LIST -> {
        var kind = text();
        var keys = new ArrayList<String>();
        for (int i = in.readByte(); i > 0; i--) {
          keys.add(text());
        }
        boolean declared = !kind.isEmpty();
        yield new ListShape(
            shape(),
            declared ? ListShape.Kind.valueOf(kind) : ListShape.Kind.ATOMIC,
            keys,
            declared,
            tag == WRAPPED_LIST);
      }
      case MAP, ATOMIC_MAP -> new MapShape(shape(), tag == ATOMIC_MAP);
      default -> throw new IOException("unknown shape " + tag);
    };
  }

  private String text() throws IOException {
    return texts[in.readUnsignedShort()];
  }
}
