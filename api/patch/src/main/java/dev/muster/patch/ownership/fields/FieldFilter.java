package dev.muster.patch.ownership.fields;

/**
 * Which fields a request can own at all: those that the resource resets on such a request belong to
 * nobody by it, nor does anything below them.
 */
public record FieldFilter(FieldSet reset) {
  /** Lets all fields pass. */
  public static final FieldFilter NONE = new FieldFilter(FieldSet.EMPTY);

  /** Lets pass what is neither in the set nor below a field in it. */
  public static FieldFilter without(FieldSet fields) {
    return new FieldFilter(fields);
  }

  /** The fields out of the set that pass. */
  public FieldSet apply(FieldSet fields) {
    return fields.minusWithChildren(reset);
  }
}
