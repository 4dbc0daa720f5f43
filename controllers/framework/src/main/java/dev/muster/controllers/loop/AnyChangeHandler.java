package dev.muster.controllers.loop;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/** Informer handlers for controllers that treat additions, updates and deletions alike. */
final class AnyChangeHandler {
  private AnyChangeHandler() {}

  /**
   * Passes each object that is added, updated or deleted to the consumer, on the informer's thread.
   */
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
