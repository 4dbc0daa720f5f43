package dev.muster.types.scheduling;

/** Is told when a task waits for something else than the CPU. On the thread of the task. */
public interface WaitListener {
  /** Nobody listens. */
  WaitListener NONE = new WaitListener() {};

  default void waits() {}

  default void goesOn() {}
}
