package dev.muster.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Caches the headers of one name whose few values occur in many responses. Thread-safe. */
public final class SharedHeaders {
  /** When there are more values than this, the cache is cleared. */
  private static final int MOST = 256;

  private final Map<String, Header> byValue = new ConcurrentHashMap<>();
  private final String name;

  public SharedHeaders(String name) {
    this.name = name;
  }

  public Header of(String value) {
    var known = byValue.get(value);
    if (known != null) {
      return known;
    }
    if (byValue.size() >= MOST) {
      byValue.clear();
    }
    return byValue.computeIfAbsent(value, added -> Header.shared(name, added));
  }
}
