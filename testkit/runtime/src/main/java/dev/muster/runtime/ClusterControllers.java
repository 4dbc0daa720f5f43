package dev.muster.runtime;

import dev.muster.authentication.token.LegacyTokens;
import dev.muster.authentication.token.TokenKeys;
import dev.muster.controllers.Controller;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.controllers.manager.ControllerSelection;
import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.manager.Controllers;
import dev.muster.controllers.servers.LeaseCollector;
import dev.muster.controllers.tokens.TokenSecrets;
import dev.muster.pki.Pem;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs selected controllers of a test cluster in this process, without a Lease, because no other
 * process runs them. One thread at a time uses it. Their client stays internal, because the
 * published jar renames its package.
 */
public final class ClusterControllers implements AutoCloseable {
  /**
   * The cluster's settings for controllers.
   *
   * @param authority the certificate authority of the API server, in PEM
   * @param token of an administrator
   * @param tokenKey signs service account tokens
   */
  public record Cluster(String url, String authority, String token, Path tokenKey) {
    /** Built in code, because reading a kubeconfig takes a quarter of a second the first time. */
    private Config config() {
      var config = Config.empty();
      config.setMasterUrl(url);
      config.setCaCertData(
          Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII)));
      config.setOauthTokenProvider(() -> token);
      config.setNamespace("default");
      return config;
    }
  }

  private static final Logger log = LoggerFactory.getLogger(ClusterControllers.class);

  /** The time after which the controllers start even without a change. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Cluster cluster;
  private final List<Controller> chosen;
  private @Nullable KubernetesClient client;
  private @Nullable CompletableFuture<?> due;
  private @Nullable CompletableFuture<ControllerManager> manager;

  /**
   * Starts none of them yet.
   *
   * @param selection as in {@code --controllers}
   * @param cluster where they work
   * @throws IllegalArgumentException for an unknown name
   */
  public ClusterControllers(List<String> selection, Cluster cluster, Clock clock) {
    this.cluster = cluster;
    this.chosen = new ControllerSelection(selection).of(all(cluster, clock));
  }

  private static List<Controller> all(Cluster cluster, Clock clock) {
    var collector = new LeaseCollector("kube-apiserver-lease", Duration.ofHours(1), clock);
    var settings = ControllerSettings.defaults(collector);
    var all = new ArrayList<>(Controllers.of(cluster.authority(), settings, clock));
    all.add(
        new TokenSecrets(
            (account, secret) -> LegacyTokens.sign(keys(cluster.tokenKey()), account, secret),
            cluster.authority()));
    return all;
  }

  private static TokenKeys keys(Path file) {
    return new TokenKeys(Pem.keyPair(Pem.read(file)), List.of());
  }

  public Set<String> names() {
    return chosen.stream().map(Controller::name).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Does nothing while they run. They start in the background, after the first change or a grace
   * period. Their client takes a new JVM longer to load than everything else in a test, and the
   * test's own first requests would have to wait for it.
   *
   * @param change completes when the cluster changes for the first time
   */
  public void startAfter(CompletableFuture<?> change) {
    if (manager == null && !chosen.isEmpty()) {
      var first = change.<Object>thenApply(done -> done);
      var _ = first.completeOnTimeout(GRACE, GRACE.toMillis(), TimeUnit.MILLISECONDS);
      var starting =
          first.thenApplyAsync(
              _ -> startManager(),
              task -> Thread.ofPlatform().daemon().name("muster-controllers").start(task));
      starting.whenComplete(
          (_, failure) -> {
            if (failure != null && !first.isCancelled()) {
              log.error("the controllers do not start", failure);
            }
          });
      due = first;
      manager = starting;
    }
  }

  private ControllerManager startManager() {
    var usual = LeaderElection.defaults();
    return ControllerManager.start(
        connected(),
        new LeaderElection(
            false,
            usual.leaseDuration(),
            usual.renewDeadline(),
            usual.retryPeriod(),
            usual.namespace(),
            usual.name()),
        chosen);
  }

  private KubernetesClient connected() {
    var known = client == null ? Clients.builder(cluster.config()).build() : client;
    client = known;
    return known;
  }

  /** Restarts the controllers without their former state. */
  public void restart() {
    stop();
    startAfter(CompletableFuture.completedFuture(GRACE));
  }

  private void stop() {
    var starting = manager;
    manager = null;
    if (due != null) {
      due.cancel(false);
    }
    if (starting != null) {
      try {
        starting.join().close();
      } catch (CompletionException e) {
        log.debug("controllers that did not start need not stop", e);
      }
    }
  }

  @Override
  public void close() {
    stop();
    if (client != null) {
      client.close();
    }
  }
}
