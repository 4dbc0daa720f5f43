package dev.muster.multicluster.identity;

import dev.muster.controllers.Controller;
import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.loop.ControlLoop;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.PropertyVerdict;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs and maintains the definition of ClusterProperty and its roles, and sets the cluster ID
 * early in the cluster's life. An existing ID is never changed. Works on one virtual thread.
 *
 * @param chosenId the ID to set; empty for the UID of {@code kube-system}
 */
public record ClusterIdentityController(Optional<String> chosenId, ClusterIdRules rules)
    implements Controller {
  private static final Logger log = LoggerFactory.getLogger(ClusterIdentityController.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofMillis(200);

  /** Possibly no watch reports that the API server has begun to serve the type. */
  private static final Duration NOW_AND_THEN = Duration.ofMinutes(5);

  private static final String ALL = "all";

  /**
   * @throws IllegalArgumentException for an invalid ID, with the name of the flag
   */
  public ClusterIdentityController {
    if (chosenId.isPresent()
        && rules.evaluate(chosenId.get()) instanceof PropertyVerdict.Refused refused) {
      throw new IllegalArgumentException("--cluster-id: " + refused.sentence());
    }
  }

  @Override
  public String name() {
    return "cluster-identity-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var definition = InstalledDefinition.ofClusterProperties();
    var events = new EventRecorder(client, name(), Clock.systemUTC());
    var loop =
        ControlLoop.<String>startTimed(
                name(), 1, LONGEST_PAUSE, key -> Optional.of(check(client, definition, events)))
            .follow(
                client
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withField("metadata.name", definition.name()),
                present -> Optional.of(ALL));
    loop.add(ALL);
    return loop;
  }

  /** Moves the cluster towards the desired state, and returns the time of the next check. */
  private Duration check(
      KubernetesClient client, InstalledDefinition definition, EventRecorder events) {
    IdentityRoles.ensure(client);
    return switch (definition.ensure(client)) {
      case InstalledDefinition.State.Waiting waiting -> SOON;
      case InstalledDefinition.State.Unusable unusable -> {
        report(client, events, "ClusterPropertyUnusable", unusable.sentence());
        yield LONGEST_PAUSE;
      }
      case InstalledDefinition.State.Ready ready -> identify(client, events);
    };
  }

  private Duration identify(KubernetesClient client, EventRecorder events) {
    var properties = new ClusterProperties(client);
    var present = properties.clusterId();
    if (present.isPresent()) {
      if (chosenId.isPresent() && !chosenId.get().equals(present.get())) {
        report(
            client,
            events,
            "ClusterIdDiffers",
            "The cluster ID is \"%s\" and not \"%s\" as --cluster-id says: change the ClusterProperty %s while the cluster is in no ClusterSet, or the flag."
                .formatted(present.get(), chosenId.get(), WellKnownProperties.CLUSTER_ID));
      }
      return NOW_AND_THEN;
    }
    // A member that lost its ID with the definition is still known by it in its ClusterSet.
    var id =
        RecordedClaim.of(client)
            .map(PropertyRules.ClaimedId::clusterId)
            .or(() -> chosenId)
            .or(() -> uid(client));
    if (id.isEmpty()) {
      return SOON;
    }
    try {
      properties.create(WellKnownProperties.CLUSTER_ID, id.get());
      log.info("The cluster ID is {}", id.get());
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409 || e.getCode() == 404) {
        return SOON;
      }
      if (e.getCode() == 403) {
        report(client, events, "ClusterIdRefused", String.valueOf(e.getMessage()));
        return LONGEST_PAUSE;
      }
      throw e;
    }
    return NOW_AND_THEN;
  }

  private static Optional<String> uid(KubernetesClient client) {
    return system(client).map(namespace -> namespace.getMetadata().getUid());
  }

  private static Optional<Namespace> system(KubernetesClient client) {
    return Optional.ofNullable(client.namespaces().withName("kube-system").get());
  }

  /**
   * Reports a problem as a log line and as an Event about {@code kube-system}, which represents the
   * cluster.
   */
  private static void report(
      KubernetesClient client, EventRecorder events, String reason, String sentence) {
    log.warn("{}", sentence);
    system(client)
        .ifPresent(
            namespace ->
                events.warn(
                    new ObjectReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Namespace")
                        .withName(namespace.getMetadata().getName())
                        .withUid(namespace.getMetadata().getUid())
                        .build(),
                    reason,
                    sentence));
  }
}
