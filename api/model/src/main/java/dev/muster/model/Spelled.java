package dev.muster.model;

/** An option whose name in flags and files differs from its Java name. */
public interface Spelled {
  String spelling();
}
