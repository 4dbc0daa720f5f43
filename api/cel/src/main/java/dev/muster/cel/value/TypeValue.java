package dev.muster.cel.value;

/** A type as a value, the result of {@code type(x)}. */
public record TypeValue(String name) {
  @Override
  public String toString() {
    return name;
  }
}
