package dev.muster.model.json;

/** JSON's null. */
public enum JsonNull implements Json {
  NULL;

  @Override
  public String toString() {
    return "null";
  }
}
