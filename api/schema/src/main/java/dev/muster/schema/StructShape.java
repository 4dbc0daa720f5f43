package dev.muster.schema;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A struct with named fields in the order in which they are written. Structs may contain
 * themselves, so the fields are given once after all structs exist, or made when somebody looks at
 * them; from then on it is immutable.
 */
public final class StructShape implements Shape {
  /** Any value; objects in it are looked into by server-side apply, however deep they are. */
  public static final StructShape FREE = new StructShape("", false, null, null, null);

  private final String name;
  private final boolean atomic;
  private final @Nullable Shape others;
  private final @Nullable Supplier<byte[]> published;
  private volatile @Nullable Supplier<List<Field>> later;
  private List<Field> fields = List.of();
  private Field[] ordered = {};

  /** Positions of fields plus one, by the hashes of their names; a power of two, half empty. */
  private int[] slots = {0};

  /** The struct without values, once somebody asked for it. */
  private @Nullable JsonObject zero;

  /**
   * @param name the definition's name in the OpenAPI document
   * @param atomic whether server-side apply takes it as one value
   */
  public StructShape(String name, boolean atomic) {
    this(name, atomic, null, null, null);
  }

  private StructShape(
      String name,
      boolean atomic,
      @Nullable Shape others,
      @Nullable Supplier<byte[]> published,
      @Nullable Supplier<List<Field>> later) {
    this.name = name;
    this.atomic = atomic;
    this.others = others;
    this.published = published;
    this.later = later;
  }

  /**
   * A struct that takes fields which it does not declare.
   *
   * @param others the shape of such fields
   */
  public static StructShape open(
      String name, boolean atomic, Shape others, Supplier<List<Field>> fields) {
    return new StructShape(name, atomic, others, null, fields);
  }

  /**
   * A struct of a kind that is defined at run time.
   *
   * @param others the shape of fields that it does not declare, or null when there can be none
   * @param schema what its definition publishes about it, as JSON
   */
  public static StructShape defined(
      String name, @Nullable Shape others, Supplier<byte[]> schema, Supplier<List<Field>> fields) {
    return new StructShape(name, false, others, schema, fields);
  }

  /** A struct whose fields are made when somebody looks at them. */
  public static StructShape later(String name, boolean atomic, Supplier<List<Field>> fields) {
    return new StructShape(name, atomic, null, null, fields);
  }

  private void made() {
    if (later != null) {
      makeFields();
    }
  }

  private synchronized void makeFields() {
    var maker = later;
    if (maker != null) {
      define(maker.get());
      later = null;
    }
  }

  /** Gives the struct its fields, once. */
  public void define(List<Field> definition) {
    fields = List.copyOf(definition);
    ordered = fields.toArray(new Field[0]);
    slots = new int[Integer.highestOneBit(ordered.length + 1) * 4];
    for (int i = 0; i < ordered.length; i++) {
      int slot = slot(ordered[i].name());
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = i + 1;
    }
  }

  private int slot(String fieldName) {
    int hash = fieldName.hashCode();
    return (hash ^ (hash >>> 15)) & (slots.length - 1);
  }

  public String name() {
    return name;
  }

  /** The name without its package, which is what Go calls the struct. */
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  public boolean atomic() {
    return atomic;
  }

  /** The shape of fields that are not declared, or null when there can be none. */
  public @Nullable Shape others() {
    return this == FREE ? FREE : others;
  }

  /** Whether the definition of a kind publishes it. */
  public boolean isPublished() {
    return published != null;
  }

  /** What the definition of a kind publishes about it, as JSON; null for what is built in. */
  public byte @Nullable [] published() {
    return published == null ? null : published.get();
  }

  public List<Field> fields() {
    made();
    return fields;
  }

  /** The field at that position. */
  public Field field(int position) {
    made();
    return ordered[position];
  }

  public int size() {
    made();
    return ordered.length;
  }

  public @Nullable Field field(String fieldName) {
    int position = indexOf(fieldName);
    return position < 0 ? null : ordered[position];
  }

  /** The position of a field, or -1 when there is none of that name. */
  public int indexOf(String fieldName) {
    made();
    int slot = slot(fieldName);
    while (slots[slot] != 0) {
      int position = slots[slot] - 1;
      if (ordered[position].name().equals(fieldName)) {
        return position;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return -1;
  }

  public @Nullable JsonObject zero() {
    return zero;
  }

  public void zero(JsonObject without) {
    zero = without;
  }

  @Override
  public String toString() {
    return name;
  }
}
