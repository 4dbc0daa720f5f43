package dev.muster.server.options.flag;

/** A choice with a spelling of its own on the command line. */
public interface Spelled {
  String spelling();
}
