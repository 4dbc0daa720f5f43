package dev.muster.registry.commit;

import dev.muster.model.gocompat.GoDuration;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The annotations of one request's audit event. The first value of a key wins. As with warnings,
 * only the deciding attempt counts: {@link #begin} starts an attempt, and its annotations are kept
 * when it decides the request or is the last. Thread-safe.
 */
public final class AuditAnnotations {
  /** Ignores all annotations, for requests that are not audited. */
  public static final AuditAnnotations IGNORED = new AuditAnnotations(false, false);

  /** The layers in which a request spends time, by kube-apiserver's names. */
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
   * @param detailed whether the audit log contains objects
   */
  public AuditAnnotations(boolean detailed) {
    this(true, detailed);
  }

  private AuditAnnotations(boolean heard, boolean detailed) {
    this.heard = heard;
    this.detailed = detailed;
  }

  /** Adds an annotation that contains parts of an object, if the audit log contains objects. */
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

  /** Adds time that the request spent in that layer, including attempts that did not count. */
  public synchronized void took(Layer layer, long time) {
    if (heard) {
      nanos.merge(layer, time, Long::sum);
    }
  }

  /** Adds the time spent in each layer as annotations. */
  public synchronized void addLatencies() {
    nanos.forEach(
        (layer, time) -> {
          if (time > 0) {
            add(layer.key, GoDuration.format(Duration.ofNanos(time)));
          }
        });
  }

  /** Discards the annotations of the previous attempt. */
  public synchronized void begin() {
    ofAttempt = Map.of();
  }

  /** Keeps the annotations so far, even if another attempt follows. */
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

  /** All annotations in the order of their keys; the caller owns the map. */
  public synchronized Map<String, String> all() {
    var all = new TreeMap<>(ofAttempt);
    all.putAll(kept);
    return all;
  }
}
