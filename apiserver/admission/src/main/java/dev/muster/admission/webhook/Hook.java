package dev.muster.admission.webhook;

import dev.muster.admission.matching.MatchConditions;
import dev.muster.admission.matching.MatchCriteria;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A webhook of a configuration, parsed once per revision. Immutable.
 *
 * @param id unique among the webhooks of one kind, although names may repeat
 * @param ignoresFailure whether the failure policy is {@code Ignore}
 * @param isReinvoked whether it is called again after a later plugin changed the object
 */
record Hook(
    String configuration,
    String name,
    String id,
    JsonObject client,
    MatchCriteria criteria,
    MatchConditions conditions,
    boolean ignoresFailure,
    Duration timeout,
    String sideEffects,
    boolean isReinvoked,
    List<String> reviewVersions) {
  private static final int DEFAULT_SECONDS = 10;
  private static final Set<String> DRY = Set.of("None", "NoneOnDryRun");

  static Hook of(String configuration, int index, JsonObject hook) {
    var name = hook.string("name");
    return new Hook(
        configuration,
        name,
        configuration + "/" + name + "/" + index,
        hook.object("clientConfig"),
        MatchCriteria.ofWebhook(hook),
        MatchConditions.of(hook.array("matchConditions"), false),
        hook.string("failurePolicy").equals("Ignore"),
        Duration.ofSeconds(hook.integer("timeoutSeconds", DEFAULT_SECONDS)),
        hook.string("sideEffects"),
        hook.string("reinvocationPolicy").equals("IfNeeded"),
        hook.array("admissionReviewVersions").strings());
  }

  /** Whether its side effects allow calls in a dry run. */
  boolean allowsDryRun() {
    return DRY.contains(sideEffects);
  }

  /**
   * The webhook's address and TLS settings.
   *
   * @throws WebhookException when its configuration is invalid
   */
  WebhookClient reached() throws WebhookException {
    return WebhookClient.of(configuration + "/" + name, client);
  }
}
