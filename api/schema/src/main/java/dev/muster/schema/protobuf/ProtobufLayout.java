package dev.muster.schema.protobuf;

import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The protobuf layout of a struct: its fields by number, and its embedded structs as messages. */
final class ProtobufLayout {
  private static final Map<StructShape, ProtobufLayout> KNOWN = new ConcurrentHashMap<>();

  /** A part of the layout with a protobuf number. */
  sealed interface Entry {
    int number();
  }

  /**
   * A field.
   *
   * @param position its position in the struct
   * @param pointer whether upstream omits it when absent; other fields are always written
   */
  record Member(int number, Field field, int position, boolean pointer) implements Entry {}

  /** An embedded struct, whose fields JSON shows in the outer struct. */
  record Group(int number, ProtobufLayout layout) implements Entry {}

  private final Entry[] ascending;
  private final @Nullable Entry[] byNumber;

  private ProtobufLayout(List<Entry> entries) {
    ascending = entries.toArray(new Entry[0]);
    int last = ascending.length == 0 ? 0 : ascending[ascending.length - 1].number();
    byNumber = new Entry[last + 1];
    for (var entry : ascending) {
      byNumber[entry.number()] = entry;
    }
  }

  static ProtobufLayout of(StructShape shape) {
    var known = KNOWN.get(shape);
    if (known == null) {
      var members = new ArrayList<Member>();
      for (int i = 0; i < shape.size(); i++) {
        var field = shape.field(i);
        if (field.number() > 0) {
          members.add(new Member(field.number(), field, i, isPointer(field)));
        }
      }
      known = layout(members, 0);
      KNOWN.put(shape, known);
    }
    return known;
  }

  private static ProtobufLayout layout(List<Member> members, int depth) {
    var entries = new ArrayList<Entry>();
    var groups = new LinkedHashMap<Integer, List<Member>>();
    for (var member : members) {
      var within = member.field().go().within();
      if (within.size() == depth) {
        entries.add(member);
      } else {
        groups.computeIfAbsent(within.get(depth).number(), number -> new ArrayList<>()).add(member);
      }
    }
    groups.forEach((number, inside) -> entries.add(new Group(number, layout(inside, depth + 1))));
    entries.sort(Comparator.comparingInt(Entry::number));
    return new ProtobufLayout(entries);
  }

  private static boolean isPointer(Field field) {
    return switch (field.shape()) {
      case ListShape list -> !list.wrapped();
      case MapShape ignored -> true;
      case StructShape ignored -> field.whenEmpty() != Field.WhenEmpty.ZERO;
      case Scalar scalar ->
          switch (scalar) {
            case STRING, BOOLEAN, INT32, INT64, DOUBLE ->
                field.whenEmpty() == Field.WhenEmpty.KEEP
                    || field.whenEmpty() == Field.WhenEmpty.NULL;
            case DURATION, QUANTITY, INT_OR_STRING -> field.whenEmpty() != Field.WhenEmpty.ZERO;
            case TIME, MICRO_TIME, ANY, FIELDS_V1 -> field.whenEmpty() == Field.WhenEmpty.KEEP;
            case BYTES, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> true;
          };
    };
  }

  /** All entries, by ascending number. */
  Entry[] ascending() {
    return ascending;
  }

  @Nullable Entry find(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }
}
