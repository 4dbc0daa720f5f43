package dev.muster.cel.value;

/** The value null. */
public enum CelNull {
  NULL
}
