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
 * Safe for any thread that counts another quota than all others. Counts what a quota's namespace
 * takes. The count is read after the quota was, and written only to that version of it: what
 * admission adds meanwhile is never lost.
 */
final class QuotaCount {
  private static final Logger log = LoggerFactory.getLogger(QuotaCount.class);

  /** Where quotas are read and written. */
  interface Quotas {
    /** As new as all that was acknowledged before. */
    Optional<JsonObject> get(ObjectKey key);

    /** Fails with a conflict when the quota is not any more what it was. */
    JsonObject updateStatus(JsonObject quota);
  }

  /** Objects of one resource that take of quotas. */
  interface Source {
    Measure measure();

    String plural();

    /** As new as all that was acknowledged before. */
    void list(String namespace, Consumer<JsonObject> each);
  }

  /** Knows the resources that one of the names in a quota is about. */
  interface Sources {
    List<? extends Source> about(Collection<String> names, String namespace);
  }

  /** What came of it. */
  enum Outcome {
    WHOLE,
    /**
     * Limits have come into force with this count. What was created after it was read and before
     * that was charged by nobody: once more.
     */
    IN_FORCE,
    /** Some resources could not be counted now. */
    PARTIAL,
    /** There is no such quota any more. */
    GONE
  }

  private final Quotas quotas;

  QuotaCount(Quotas quotas) {
    this.quotas = quotas;
  }

  /** Whether a quota must be counted because of what became of it. */
  static boolean isDue(@Nullable JsonObject old, @Nullable JsonObject now) {
    return now != null && (!isSame(old, now) || !QuotaStatus.isCounted(now));
  }

  /** Whether it limits the same as before. */
  static boolean isSame(@Nullable JsonObject old, @Nullable JsonObject now) {
    return old != null && now != null && old.object("spec").equals(now.object("spec"));
  }

  /** Whether a quota must be counted when objects of that measure were given back. */
  static boolean isAbout(JsonObject quota, Measure measure) {
    return !measure.matching(quota.object("spec", "hard").keys()).isEmpty();
  }

  /**
   * Counts.
   *
   * @param written takes the quota as it is after that, if it had to be written
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
