package dev.muster.types.scheduling;

/**
 * Is notified when a task waits for something other than the CPU. Called on the thread of the task.
 */
public interface WaitListener {
  /** Ignores all notifications. */
  WaitListener NONE = new WaitListener() {};

  default void waits() {}

  default void goesOn() {}
}
