package dev.muster.schema.generator;

import dev.muster.schema.generator.FoundTypes.Field;
import dev.muster.schema.generator.FoundTypes.Shape;
import dev.muster.schema.generator.FoundTypes.Struct;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file that the runtime loads: all texts once, then the structs with indexes into them, and how
 * many bytes the fields of each take. Whoever changes it changes {@code SchemaFileReader} of the
 * runtime too.
 */
final class SchemaFileWriter {
  private static final int SCALAR = 0;
  private static final int STRUCT = 1;
  private static final int GRANULAR_STRUCT = 2;
  private static final int LIST = 3;
  private static final int WRAPPED_LIST = 4;
  private static final int MAP = 5;
  private static final int ATOMIC_MAP = 6;

  private final Map<String, Integer> texts = new LinkedHashMap<>();
  private final Map<String, Integer> positions = new LinkedHashMap<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  static byte[] of(List<Struct> structs, FieldTable table) throws IOException {
    var file = new SchemaFileWriter();
    for (var struct : structs) {
      file.positions.put(struct.name(), file.positions.size());
    }
    file.out.writeShort(structs.size());
    for (var struct : structs) {
      file.text(struct.name());
      file.out.writeByte((struct.atomic() ? 1 : 0) | (struct.kind() ? 2 : 0));
      if (struct.kind()) {
        file.text(table.group(struct.name().substring(0, struct.name().lastIndexOf('.'))));
      }
    }
    var sizes = new ByteArrayOutputStream();
    var lengths = new DataOutputStream(sizes);
    var names = file.bytes.toByteArray();
    file.bytes.reset();
    for (var struct : structs) {
      int begin = file.bytes.size();
      file.out.writeShort(struct.fields().size());
      for (var field : struct.fields()) {
        file.field(field);
      }
      lengths.writeShort(file.bytes.size() - begin);
    }
    var result = new ByteArrayOutputStream();
    var head = new DataOutputStream(result);
    head.writeShort(file.texts.size());
    for (var text : file.texts.keySet()) {
      head.writeUTF(text);
    }
    head.write(names);
    head.write(sizes.toByteArray());
    head.write(file.bytes.toByteArray());
    return result.toByteArray();
  }

  private void field(Field field) throws IOException {
    text(field.name());
    out.writeShort(field.number());
    var patch = field.patch();
    out.writeByte(
        (field.required() ? 1 : 0)
            | (field.defaultValue() != null ? 8 : 0)
            | (patch.isNone() ? 0 : 16)
            | (field.goType().isEmpty() ? 0 : 32)
            | (field.within().isEmpty() ? 0 : 64));
    text(field.whenEmpty().name());
    shape(field.shape());
    if (field.defaultValue() != null) {
      text(field.defaultValue());
    }
    if (!patch.isNone()) {
      out.writeByte(
          (patch.merge() ? 1 : 0) | (patch.replace() ? 2 : 0) | (patch.retainKeys() ? 4 : 0));
      text(patch.mergeKey());
    }
    if (!field.goType().isEmpty()) {
      text(field.goType());
    }
    if (!field.within().isEmpty()) {
      out.writeByte(field.within().size());
      for (var embedded : field.within()) {
        out.writeShort(embedded.number());
        text(embedded.name());
      }
    }
  }

  private void shape(Shape shape) throws IOException {
    if (shape instanceof Shape.Scalar scalar) {
      out.writeByte(SCALAR);
      text(scalar.name());
    } else if (shape instanceof Shape.Ref ref) {
      var position = positions.get(ref.definition());
      if (position == null) {
        throw new IllegalStateException("no struct " + ref.definition());
      }
      out.writeByte(ref.granular() ? GRANULAR_STRUCT : STRUCT);
      out.writeShort(position);
    } else if (shape instanceof Shape.Listing list) {
      out.writeByte(list.wrapped() ? WRAPPED_LIST : LIST);
      text(list.type());
      out.writeByte(list.keys().size());
      for (var key : list.keys()) {
        text(key);
      }
      shape(list.items());
    } else if (shape instanceof Shape.Mapping map) {
      out.writeByte(map.atomic() ? ATOMIC_MAP : MAP);
      shape(map.values());
    }
  }

  private void text(String text) throws IOException {
    var known = texts.get(text);
    if (known == null) {
      known = texts.size();
      texts.put(text, known);
    }
    out.writeShort(known);
  }
}
