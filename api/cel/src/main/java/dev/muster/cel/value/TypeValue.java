package dev.muster.cel.value;

/** A type as a value, as {@code type(x)} answers it. */
public record TypeValue(String name) {
  @Override
  public String toString() {
    return name;
  }
}
