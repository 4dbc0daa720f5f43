package dev.muster.http;

import org.jspecify.annotations.Nullable;

/** A value kept with a connection. Used on its event loop only. */
public final class ConnectionMemory {
  private @Nullable Object value;

  public <T> @Nullable T recall(Class<T> type) {
    return type.isInstance(value) ? type.cast(value) : null;
  }

  public void remember(Object value) {
    this.value = value;
  }
}
