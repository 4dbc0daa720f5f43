package dev.muster.model.validation;

/** A path to a field in the form of validation messages: {@code spec.ports[0].name}. */
public record FieldPath(String text) {
  public static final FieldPath ROOT = new FieldPath("");

  /** A field without a name, which is written as an index without a number. */
  public static final FieldPath NAMELESS = new FieldPath("[]");

  public static FieldPath of(String first, String... rest) {
    var path = new FieldPath(first);
    for (var name : rest) {
      path = path.child(name);
    }
    return path;
  }

  public FieldPath child(String name) {
    return new FieldPath(text.isEmpty() ? name : text + "." + name);
  }

  public FieldPath index(int index) {
    return new FieldPath(text + "[" + index + "]");
  }

  public FieldPath key(String key) {
    return new FieldPath(text + "[" + key + "]");
  }

  @Override
  public String toString() {
    return text;
  }
}
