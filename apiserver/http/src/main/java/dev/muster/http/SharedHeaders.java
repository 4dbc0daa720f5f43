package dev.muster.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Safe for any thread. The headers of one name whose few values stand in many answers. */
public final class SharedHeaders {
  /** More values than that are no few; they are forgotten and begun anew. */
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
