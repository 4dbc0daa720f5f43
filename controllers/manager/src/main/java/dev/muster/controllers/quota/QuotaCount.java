package dev.muster.controllers.quota;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.ResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the usage of a quota. It reads the quota before the objects and writes the status only to
 * that version, so that usage which admission adds meanwhile is not lost. Thread-safe, with one
 * thread per quota at a time.
 */
final class QuotaCount {
  private static final Logger log = LoggerFactory.getLogger(QuotaCount.class);

  /** Reads and writes quotas. */
  interface Quotas {
    /** Reads a state that includes all writes acknowledged before. */
    Optional<JsonObject> get(ObjectKey key);

    /** Fails with a conflict when the quota has changed. */
    JsonObject updateStatus(JsonObject quota);
  }

  /** The objects of one resource that quotas count. */
  interface Source {
    Measure measure();

    String plural();

    /** Lists a state that includes all writes acknowledged before. */
    void list(String namespace, Consumer<JsonObject> each);
  }

  /** Finds the resources that a name in a quota refers to. */
  interface Sources {
    List<? extends Source> about(Collection<String> names, String namespace);
  }

  /** The result of a count. */
  enum Outcome {
    WHOLE,
    /**
     * Limits came into force with this count. Admission did not charge objects that were created
     * between the count and then, so another count is due.
     */
    IN_FORCE,
    /** Some resources could not be counted. */
    PARTIAL,
    /** The quota does not exist any more. */
    GONE
  }

  private final Quotas quotas;

  QuotaCount(Quotas quotas) {
    this.quotas = quotas;
  }

  /** Whether a change of a quota requires a count. */
  static boolean isDue(@Nullable JsonObject old, @Nullable JsonObject now) {
    return now != null && (!isSame(old, now) || !QuotaStatus.isCounted(now));
  }

  /** Whether the limits are unchanged. */
  static boolean isSame(@Nullable JsonObject old, @Nullable JsonObject now) {
    return old != null && now != null && old.object("spec").equals(now.object("spec"));
  }

  /** Whether a quota must be counted after the usage of that measure has decreased. */
  static boolean isAbout(JsonObject quota, Measure measure) {
    return !measure.matching(quota.object("spec", "hard").keys()).isEmpty();
  }

  /**
   * Counts.
   *
   * @param written receives the updated quota, if it had to be written
   */
  Outcome count(ObjectKey key, Sources sources, Consumer<JsonObject> written) {
    var quota = quotas.get(key).orElse(null);
    if (quota == null) {
      return Outcome.GONE;
    }
    var names = quota.object("spec", "hard").keys();
    var counted = new ResourceList();
    var unknown = new HashSet<String>();
    boolean whole = true;
    for (var source : sources.about(names, key.namespace())) {
      var tally = new QuotaTally(quota, source.measure(), source.measure().matching(names));
      try {
        source.list(key.namespace(), tally::add);
        counted.add(tally.sum());
      } catch (KubernetesClientException e) {
        log.info("{} of {}: {}", source.plural(), key, e.getMessage());
        unknown.addAll(source.measure().matching(names));
        whole = ApiResource.isGone(e) && whole;
      }
    }
    counted.amounts().keySet().removeAll(unknown);
    try {
      QuotaStatus.after(quota, counted).map(quotas::updateStatus).ifPresent(written);
    } catch (KubernetesClientException e) {
      if (ApiResource.isGone(e)) {
        return Outcome.GONE;
      }
      throw e;
    }
    if (!whole) {
      return Outcome.PARTIAL;
    }
    return quota.object("status", "hard").equals(quota.object("spec", "hard"))
        ? Outcome.WHOLE
        : Outcome.IN_FORCE;
  }
}
