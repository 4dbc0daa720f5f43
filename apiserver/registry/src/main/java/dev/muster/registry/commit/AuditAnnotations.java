package dev.muster.registry.commit;

import dev.muster.model.gocompat.GoDuration;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Safe for any thread. What the audit log will say about one request, by those who look at it on
 * its way. Who writes a key first has it. As with warnings, only the attempt that counts is heard:
 * each begins anew, and what it says is kept when it counts, or when none follows.
 */
public final class AuditAnnotations {
  /** For requests that no log says anything about. */
  public static final AuditAnnotations IGNORED = new AuditAnnotations(false, false);

  /** Where a request may spend its time, under kube-apiserver's names. */
  public enum Layer {
    AUTHENTICATION("authentication"),
    AUTHORIZATION("authorization"),
    QUEUE("apf-queue-wait"),
    MUTATING_WEBHOOKS("mutating-webhook"),
    VALIDATING_WEBHOOKS("validating-webhook"),
    STORE("etcd");

    private final String key;

    Layer(String name) {
      this.key = "apiserver.latency.k8s.io/" + name;
    }
  }

  private final boolean heard;
  private final boolean detailed;
  private final Map<Layer, Long> nanos = new EnumMap<>(Layer.class);
  private Map<String, String> kept = Map.of();
  private Map<String, String> ofAttempt = Map.of();

  /**
   * @param detailed whether the log shows objects, too
   */
  public AuditAnnotations(boolean detailed) {
    this(true, detailed);
  }

  private AuditAnnotations(boolean heard, boolean detailed) {
    this.heard = heard;
    this.detailed = detailed;
  }

  /** Adds what shows parts of an object, if the log shows objects. */
  public void addDetail(String key, Supplier<String> value) {
    if (detailed) {
      add(key, value.get());
    }
  }

  public synchronized void add(String key, String value) {
    if (heard && !kept.containsKey(key)) {
      if (ofAttempt.isEmpty()) {
        ofAttempt = new HashMap<>();
      }
      ofAttempt.putIfAbsent(key, value);
    }
  }

  /** The request has been in that layer for so long, attempts that did not count included. */
  public synchronized void took(Layer layer, long time) {
    if (heard) {
      nanos.merge(layer, time, Long::sum);
    }
  }

  /** Adds how long the request was in each layer. */
  public synchronized void addLatencies() {
    nanos.forEach(
        (layer, time) -> {
          if (time > 0) {
            add(layer.key, GoDuration.format(Duration.ofNanos(time)));
          }
        });
  }

  /** Forgets what an attempt said that did not count. */
  public synchronized void begin() {
    ofAttempt = Map.of();
  }

  /** What was said so far counts, whatever is tried next. */
  public synchronized void keep() {
    if (!ofAttempt.isEmpty()) {
      var all = new HashMap<>(ofAttempt);
      all.putAll(kept);
      kept = all;
      ofAttempt = Map.of();
    }
  }

  public synchronized boolean isEmpty() {
    return kept.isEmpty() && ofAttempt.isEmpty();
  }

  /** All that was said, in the order of the keys; the map is the caller's. */
  public synchronized Map<String, String> all() {
    var all = new TreeMap<>(ofAttempt);
    all.putAll(kept);
    return all;
  }
}
