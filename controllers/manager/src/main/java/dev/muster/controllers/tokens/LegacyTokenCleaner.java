package dev.muster.controllers.tokens;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks generated service account token Secrets as invalid after a long time without use, and
 * deletes them after the same time again. Works on one virtual thread.
 */
public final class LegacyTokenCleaner implements LoopController {
  private static final Logger log = LoggerFactory.getLogger(LegacyTokenCleaner.class);
  private static final Duration PERIOD = Duration.ofHours(24);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final String ALL = "all";

  private final Duration unused;
  private final Clock clock;

  /**
   * @param unused the time without use
   * @param clock determines the current day
   */
  public LegacyTokenCleaner(Duration unused, Clock clock) {
    this.unused = unused;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "legacy-serviceaccount-token-cleaner-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var loop = new CachedLoop<String>("legacy_service_account_token_cleaner", loops);
    loop.add(ALL);
    return loop.start(
        1,
        LONGEST_PAUSE,
        key -> {
          clean(loops.requests());
          loop.addAfter(ALL, PERIOD);
          return true;
        });
  }

  /** Reads Secrets once a day instead of following them, which would keep all in memory. */
  private void clean(ApiRequests requests) {
    var secrets = new ApiResource(requests, "/api/v1", "secrets");
    var accounts = new ApiResource(requests, "/api/v1", "serviceaccounts");
    var pods = new ApiResource(requests, "/api/v1", "pods");
    var now = clock.instant();
    var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    var tracked =
        new ApiResource(requests, "/api/v1", "configmaps")
            .get("kube-system", "kube-apiserver-legacy-service-account-token-tracking")
            .flatMap(map -> UnusedTokens.date(map.object("data").string("since")));
    if (tracked.isEmpty()
        || now.isBefore(
            tracked.get().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(unused))) {
      return;
    }
    var tokens = new ArrayList<JsonObject>();
    secrets.list(
        "",
        secret -> {
          if (secret.string("type").equals("kubernetes.io/service-account-token")) {
            tokens.add(secret.without("data"));
          }
        });
    Map<String, Set<String>> mounted = new HashMap<>();
    for (var token : tokens) {
      var metadata = token.object("metadata");
      var namespace = metadata.string("namespace");
      var owner = metadata.object("annotations").string("kubernetes.io/service-account.name");
      var account = owner.isEmpty() ? null : accounts.get(namespace, owner).orElse(null);
      var used =
          mounted.computeIfAbsent(
              namespace,
              key -> {
                var names = new LinkedHashSet<String>();
                pods.list(key, pod -> names.addAll(UnusedTokens.mounted(pod)));
                return names;
              });
      act(secrets, token, UnusedTokens.step(token, account, used, unused, now), today);
    }
  }

  private static void act(
      ApiResource secrets, JsonObject token, UnusedTokens.Step step, LocalDate today) {
    var metadata = token.object("metadata");
    try {
      switch (step) {
        case KEEP -> {}
        case MARK_INVALID -> {
          var labels = JsonObject.of(UnusedTokens.INVALID_SINCE, today.toString());
          var patch =
              JsonObject.of(
                  "metadata", JsonObject.of("uid", metadata.string("uid"), "labels", labels));
          secrets.merge(metadata.string("namespace"), metadata.string("name"), patch, "");
        }
        case DELETE -> secrets.delete(token);
      }
    } catch (KubernetesClientException e) {
      log.info("a token that nobody uses cannot be changed now: {}", e.getMessage());
    }
  }
}
