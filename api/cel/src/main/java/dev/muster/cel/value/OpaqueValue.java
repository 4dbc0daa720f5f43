package dev.muster.cel.value;

/** A value that only its own functions can inspect. */
public interface OpaqueValue {
  /** The type name in messages. */
  String typeName();
}
