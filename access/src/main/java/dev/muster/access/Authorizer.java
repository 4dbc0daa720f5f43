package dev.muster.access;

/** Says whether somebody may do something. Safe for any thread; never blocks. */
public interface Authorizer {
  Decision authorize(Attributes attributes);
}
