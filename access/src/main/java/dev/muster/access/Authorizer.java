package dev.muster.access;

/** Says whether somebody may do something. Safe for any thread; never blocks. */
public interface Authorizer {
  Decision authorize(Attributes attributes);

  /**
   * Whether a decision takes no time. One that does, because of what users have written into their
   * roles, is nothing for an event loop.
   */
  default boolean isSoonDecided(Attributes attributes) {
    return true;
  }
}
