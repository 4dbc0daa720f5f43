package dev.muster.cel.value;

/** A value that only functions of its own can look into. */
public interface OpaqueValue {
  /** The name of its type as messages have it. */
  String typeName();
}
