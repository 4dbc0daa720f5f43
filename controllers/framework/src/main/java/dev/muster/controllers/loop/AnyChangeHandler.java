package dev.muster.controllers.loop;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/** Handlers for controllers to which it does not matter what happened to an object. */
final class AnyChangeHandler {
  private AnyChangeHandler() {}

  /** Shows each object that appears, changes or goes away, on the informer's thread. */
  static <T> ResourceEventHandler<T> of(Consumer<T> seen) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        seen.accept(object);
      }

      @Override
      public void onUpdate(T old, T object) {
        seen.accept(object);
      }

      @Override
      public void onDelete(T object, boolean unknown) {
        seen.accept(object);
      }
    };
  }
}
