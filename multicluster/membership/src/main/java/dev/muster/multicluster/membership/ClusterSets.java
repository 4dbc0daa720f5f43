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

/** Safe for any thread; blocks the calling one. A hub as its administrator sees it. */
public record ClusterSets(KubernetesClient hub) {
  /** From which services get their addresses if nothing else is said. */
  public static final List<String> DEFAULT_RANGES = List.of("10.249.0.0/16", "fd10:249::/112");

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /**
   * One member.
   *
   * @param lastSeen its last sign of life, by its own clock where nothing else is known
   * @param vanished whether that was too long ago, or there was none since it joined
   * @param sign changes with each sign of life; "" before the first
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
   * What came of a creation.
   *
   * @param made whether the set was not there
   * @param lacking what the hub cannot do, for people
   */
  public record Created(boolean made, Optional<String> lacking) {}

  /** With the default ranges. */
  public Created create(String name, String description) {
    return create(name, description, DEFAULT_RANGES);
  }

  /**
   * Installs what a hub needs, and creates the set; one that is there keeps its description and its
   * ranges.
   *
   * @param ranges of the addresses of services
   * @throws RefusedByHub for a name that cannot be, or a hub that cannot be one
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
   * The members of a set and those on their way in and out, by their IDs. Who has vanished is told
   * by the members' clocks; {@link MemberWatch} knows better.
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
