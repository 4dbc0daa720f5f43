package dev.muster.multicluster.membership;

import dev.muster.multicluster.rules.DnsNames;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The administrator's operations on a hub. Thread-safe. Blocks the caller. */
public record ClusterSets(KubernetesClient hub) {
  /** The default ranges of service addresses. */
  public static final List<String> DEFAULT_RANGES = List.of("10.249.0.0/16", "fd10:249::/112");

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /**
   * One member.
   *
   * @param lastSeen the last renewal, by the member's clock if nothing else is known
   * @param vanished whether the last renewal is too old, or there was none since it joined
   * @param sign changes with each renewal; "" before the first
   */
  public record MemberView(
      String id,
      String clusterUid,
      Phase phase,
      Optional<Instant> lastSeen,
      boolean vanished,
      String sign) {
    MemberView seen(Optional<Instant> time, boolean isVanished) {
      return new MemberView(id, clusterUid, phase, time, isVanished, sign);
    }
  }

  /**
   * The result of a creation.
   *
   * @param made whether the set is new
   * @param lacking features that the hub lacks, for users
   */
  public record Created(boolean made, Optional<String> lacking) {}

  /** Uses the default ranges. */
  public Created create(String name, String description) {
    return create(name, description, DEFAULT_RANGES);
  }

  /**
   * Installs the hub's definitions and creates the set; an existing set keeps its description and
   * ranges.
   *
   * @param ranges of service addresses
   * @throws RefusedByHub for an invalid name, or a cluster that cannot be a hub
   */
  public Created create(String name, String description, List<String> ranges) {
    checkName(name);
    ClusterSetDefinitions.OF_HUB.forEach(
        definition -> ClusterSetDefinitions.await(hub, definition));
    boolean created = created(() -> hub.resource(ClusterSet.of(name, description)).create());
    var _ =
        created(
            () ->
                hub.resource(
                        new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(ClusterSet.namespace(name))
                            .addToLabels("clusterset.muster.dev/clusterset", name)
                            .endMetadata()
                            .build())
                    .create());
    return new Created(created, new HubInstallation(hub, name).ensure(ranges));
  }

  private static boolean created(Runnable creation) {
    try {
      creation.run();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  static void checkName(String name) {
    if (!DnsNames.isLabel(name) || name.length() > ClusterSet.LONGEST_NAME) {
      throw new RefusedByHub(
          "\"%s\" cannot be the name of a ClusterSet: use at most %d small letters, digits and '-', with a letter or digit at both ends."
              .formatted(name, ClusterSet.LONGEST_NAME));
    }
  }

  public boolean exists(String name) {
    return hub.resources(ClusterSet.class).withName(name).get() != null;
  }

  /** The names of all sets. */
  public List<String> names() {
    try {
      return hub.resources(ClusterSet.class).list().getItems().stream()
          .map(set -> set.getMetadata().getName())
          .sorted()
          .toList();
    } catch (KubernetesClientException e) {
      if (e.getCode() == NOT_FOUND) {
        return List.of();
      }
      throw e;
    }
  }

  /**
   * The members of a set, including those joining or leaving, by ID. {@code vanished} depends on
   * the members' clocks here; {@link MemberWatch} is more reliable.
   */
  public List<MemberView> members(String name, Instant now) {
    var namespace = ClusterSet.namespace(name);
    var leases =
        hub.leases().inNamespace(namespace).list().getItems().stream()
            .collect(Collectors.toMap(lease -> lease.getMetadata().getName(), lease -> lease));
    return hub.resources(ClusterSetMember.class).inNamespace(namespace).list().getItems().stream()
        .map(
            member ->
                view(member, Optional.ofNullable(leases.get(member.getMetadata().getName())), now))
        .sorted(Comparator.comparing(MemberView::id))
        .toList();
  }

  private static MemberView view(ClusterSetMember member, Optional<Lease> lease, Instant now) {
    var seen = lease.flatMap(MemberLease::lastSeen);
    boolean vanished =
        member.phase() == Phase.JOINED
            && seen.filter(time -> MemberLease.isRecent(time, now)).isEmpty();
    var sign = seen.flatMap(time -> lease).map(it -> it.getMetadata().getResourceVersion());
    return new MemberView(
        member.getMetadata().getName(),
        member.clusterUid(),
        member.phase(),
        seen,
        vanished,
        sign.orElse(""));
  }
}
