package dev.muster.model;

/** A choice with a spelling of its own in flags and files. */
public interface Spelled {
  String spelling();
}
