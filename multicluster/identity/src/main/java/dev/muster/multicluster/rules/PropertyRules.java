package dev.muster.multicluster.rules;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The rules for changes of cluster properties: a pure function of the change, the current
 * well-known properties and the user's rights.
 *
 * @param ids the rules for cluster IDs
 */
public record PropertyRules(ClusterIdRules ids) {
  /** In Unicode code points. */
  public static final int LONGEST_VALUE = 128_000;

  /** The RBAC verb that permits to set and remove {@code clusterset.k8s.io}. */
  public static final String MEMBERSHIP_VERB = "join";

  private static final List<String> RESERVED = List.of("k8s.io", "kubernetes.io");

  /**
   * The well-known properties before the change.
   *
   * @param id the cluster ID, if set
   * @param clusterSet the ClusterSet of which the cluster is a member, if any
   * @param claim the recorded claim to an ID in a ClusterSet, if any
   */
  public record Identity(
      Optional<String> id, Optional<String> clusterSet, Optional<ClaimedId> claim) {
    public Identity(Optional<String> id, Optional<String> clusterSet) {
      this(id, clusterSet, Optional.empty());
    }

    /** Whether the value is the ID under which the cluster is a member. */
    boolean isClaimed(String value) {
      return claim
          .filter(claimed -> claimed.clusterId().equals(value))
          .map(ClaimedId::clusterSet)
          .equals(clusterSet);
    }
  }

  /** The ID and ClusterSet that a cluster claimed in its hub. */
  public record ClaimedId(String clusterSet, String clusterId) {}

  /**
   * @param mayManageMembership whether RBAC lets the user decide on membership; evaluated only when
   *     needed
   */
  public PropertyVerdict evaluate(
      PropertyChange change, Identity identity, BooleanSupplier mayManageMembership) {
    return switch (change.name()) {
      case WellKnownProperties.CLUSTER_ID -> id(change, identity);
      case WellKnownProperties.CLUSTER_SET -> clusterSet(change, identity, mayManageMembership);
      default -> other(change);
    };
  }

  private PropertyVerdict id(PropertyChange change, Identity identity) {
    return switch (change) {
      case PropertyChange.Create create -> {
        var set = identity.clusterSet();
        if (set.isEmpty() || identity.isClaimed(create.value())) {
          yield ids.evaluate(create.value());
        }
        yield identity.id().isPresent()
            ? fixed("changed", identity)
            : new PropertyVerdict.Refused(
                "This cluster is a member of the ClusterSet \"%s\" without an ID, which must not be chosen while it is a member: %stake it out with muster clusterset leave first."
                    .formatted(set.get(), setBack(identity)));
      }
      case PropertyChange.Update update -> {
        if (update.value().equals(update.oldValue())) {
          yield PropertyVerdict.allowed();
        }
        yield identity.clusterSet().isPresent() && !identity.isClaimed(update.value())
            ? fixed("changed", identity)
            : ids.evaluate(update.value());
      }
      case PropertyChange.Delete delete ->
          identity.clusterSet().isPresent()
              ? fixed("deleted", identity)
              : PropertyVerdict.allowed();
    };
  }

  private static PropertyVerdict fixed(String how, Identity identity) {
    return new PropertyVerdict.Refused(
        "The cluster ID cannot be %s while the cluster is a member of the ClusterSet \"%s\": %stake it out with muster clusterset leave first."
            .formatted(how, identity.clusterSet().orElse(""), setBack(identity)));
  }

  /** The only value that may be written when a member has lost its ID. */
  private static String setBack(Identity identity) {
    return identity
        .claim()
        .filter(claim -> identity.clusterSet().equals(Optional.of(claim.clusterSet())))
        .map(ClaimedId::clusterId)
        .filter(id -> !identity.id().equals(Optional.of(id)))
        .map(id -> "set it to \"%s\", with which it is a member, or ".formatted(id))
        .orElse("");
  }

  private PropertyVerdict clusterSet(
      PropertyChange change, Identity identity, BooleanSupplier mayManageMembership) {
    return switch (change) {
      case PropertyChange.Create create -> {
        if (!mayManageMembership.getAsBoolean()) {
          yield notTheirs();
        }
        var size = size(create.value());
        yield size instanceof PropertyVerdict.Refused ? size : joins(identity);
      }
      case PropertyChange.Update update ->
          update.value().equals(update.oldValue())
              ? PropertyVerdict.allowed()
              : new PropertyVerdict.Refused(
                  "The ClusterSet of a member cannot be changed from \"%s\": use muster clusterset move, which leaves it before it joins another."
                      .formatted(update.oldValue()));
      case PropertyChange.Delete delete ->
          mayManageMembership.getAsBoolean() ? PropertyVerdict.allowed() : notTheirs();
    };
  }

  private PropertyVerdict joins(Identity identity) {
    if (identity.id().isEmpty()) {
      return new PropertyVerdict.Refused(
          "This cluster has no ID and so cannot join a ClusterSet: create the ClusterProperty %s first."
              .formatted(WellKnownProperties.CLUSTER_ID));
    }
    return ids.evaluate(identity.id().get()) instanceof PropertyVerdict.Refused refused
        ? new PropertyVerdict.Refused(
            "This cluster cannot join a ClusterSet. " + refused.sentence())
        : PropertyVerdict.allowed();
  }

  private static PropertyVerdict notTheirs() {
    return new PropertyVerdict.Refused(
        "Only who may \"%s\" the ClusterProperty %s sets or removes it: use muster clusterset join or leave, or ask for the role muster:clusterset-membership."
            .formatted(MEMBERSHIP_VERB, WellKnownProperties.CLUSTER_SET));
  }

  private static PropertyVerdict other(PropertyChange change) {
    return switch (change) {
      case PropertyChange.Create create -> named(create.name(), create.value());
      case PropertyChange.Update update ->
          update.value().equals(update.oldValue())
              ? PropertyVerdict.allowed()
              : named(update.name(), update.value());
      case PropertyChange.Delete delete -> PropertyVerdict.allowed();
    };
  }

  private static PropertyVerdict named(String name, String value) {
    for (var suffix : RESERVED) {
      if (name.equals(suffix) || name.endsWith("." + suffix)) {
        return new PropertyVerdict.Refused(
            "The name \"%s\" ends with .%s, which is reserved for Kubernetes: use a suffix of your own, such as .example.com."
                .formatted(name, suffix));
      }
    }
    return size(value);
  }

  private static PropertyVerdict size(String value) {
    int points = value.codePointCount(0, value.length());
    return points >= 1 && points <= LONGEST_VALUE
        ? PropertyVerdict.allowed()
        : new PropertyVerdict.Refused(
            "The value has %d Unicode code points and must have 1 to %d: shorten it, or keep it elsewhere and store its place."
                .formatted(points, LONGEST_VALUE));
  }
}
