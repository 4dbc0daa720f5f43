package dev.muster.registry.admission;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * For the thread of one request: what admission has to say about it in the audit log. Who writes a
 * key first has it.
 */
public final class AuditAnnotations {
  private final Map<String, String> annotations = new LinkedHashMap<>();

  public void add(String key, String value) {
    annotations.putIfAbsent(key, value);
  }

  public Map<String, String> all() {
    return Collections.unmodifiableMap(annotations);
  }
}
