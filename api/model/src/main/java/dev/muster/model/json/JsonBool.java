package dev.muster.model.json;

/** JSON's true and false. */
public enum JsonBool implements Json {
  FALSE,
  TRUE;

  public boolean value() {
    return this == TRUE;
  }

  @Override
  public String toString() {
    return value() ? "true" : "false";
  }
}
