package dev.muster.http;

import org.jspecify.annotations.Nullable;

/** A value that is cached with a connection. Only the event loop of the connection uses it. */
public final class ConnectionMemory {
  private @Nullable Object value;

  public <T> @Nullable T recall(Class<T> type) {
    return type.isInstance(value) ? type.cast(value) : null;
  }

  public void remember(Object value) {
    this.value = value;
  }
}
