package dev.muster.schema;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A struct with named fields in the order in which they are written. A struct may contain itself,
 * so its fields are set once after all structs exist, or created on first use. Immutable after
 * that.
 */
public final class StructShape implements Shape {
  /** Any value; server-side apply tracks the fields of nested objects at any depth. */
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

  /** The struct without values, created on first use. */
  private @Nullable JsonObject zero;

  /**
   * @param name the definition's name in the OpenAPI document
   * @param atomic whether server-side apply treats it as one value
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
   * A struct that accepts undeclared fields.
   *
   * @param others the shape of undeclared fields
   */
  public static StructShape open(
      String name, boolean atomic, Shape others, Supplier<List<Field>> fields) {
    return new StructShape(name, atomic, others, null, fields);
  }

  /**
   * A struct of a kind that is defined at run time.
   *
   * @param others the shape of undeclared fields, or null when the struct allows none
   * @param schema the schema that its definition publishes, as JSON
   */
  public static StructShape defined(
      String name, @Nullable Shape others, Supplier<byte[]> schema, Supplier<List<Field>> fields) {
    return new StructShape(name, false, others, schema, fields);
  }

  /** A struct whose fields are created on first use. */
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

  /** Sets the fields of the struct, once. */
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

  /** The name without its package, which is Go's name of the struct. */
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  public boolean atomic() {
    return atomic;
  }

  /** The shape of undeclared fields, or null when the struct allows none. */
  public @Nullable Shape others() {
    return this == FREE ? FREE : others;
  }

  /** Whether a definition publishes the schema of the struct. */
  public boolean isPublished() {
    return published != null;
  }

  /** The schema that a definition publishes, as JSON; null for built-in structs. */
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

  /** The position of the field of that name, or -1. */
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
