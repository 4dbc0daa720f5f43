package dev.muster.patch.ownership.fields;

/**
 * Filters the fields that a request can own. Fields that the resource resets on such a request, and
 * all fields below them, get no owner.
 */
public record FieldFilter(FieldSet reset) {
  /** Keeps all fields. */
  public static final FieldFilter NONE = new FieldFilter(FieldSet.EMPTY);

  /** Keeps fields that are neither in the set nor below a field of the set. */
  public static FieldFilter without(FieldSet fields) {
    return new FieldFilter(fields);
  }

  /** The fields of the set that the filter keeps. */
  public FieldSet apply(FieldSet fields) {
    return fields.minusWithChildren(reset);
  }
}
