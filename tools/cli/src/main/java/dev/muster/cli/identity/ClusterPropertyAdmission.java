package dev.muster.cli.identity;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.multicluster.rules.PropertyChange;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.PropertyVerdict;
import dev.muster.multicluster.rules.WellKnownProperties;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.types.ClusterView;
import java.util.List;
import java.util.Optional;

/**
 * Applies the rules for cluster properties in an API server, on the revision that the write is
 * based on. Joining a ClusterSet depends on the current cluster ID: a concurrent change of the ID
 * leads to another attempt of the write.
 */
record ClusterPropertyAdmission(PropertyRules rules, Authorizer authorizer) implements Admission {
  private static final String GROUP = "about.k8s.io";
  private static final String PLURAL = "clusterproperties";
  private static final String COLLECTION = "/" + GROUP + "/" + PLURAL;
  private static final String MEMBERSHIPS = "/clusterset.muster.dev/clustersetmemberships";

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (!request.isFor(GROUP, PLURAL) || !request.subresource().isEmpty()) {
      return List.of();
    }
    if (request.oldObject() == null && exists(request)) {
      // The write fails because the property exists already.
      return List.of();
    }
    var verdict =
        rules.evaluate(change(request), identity(request.cluster()), () -> mayManage(request));
    switch (verdict) {
      case PropertyVerdict.Refused refused ->
          throw ApiException.forbidden(request.resource(), request.name(), refused.sentence());
      case PropertyVerdict.Allowed allowed -> allowed.warnings().forEach(request.warnings());
    }
    return request.name().equals(WellKnownProperties.CLUSTER_SET) && request.oldObject() == null
        ? withId(request)
        : List.of();
  }

  private static PropertyChange change(AdmissionRequest request) {
    var object = request.object();
    var old = request.oldObject();
    if (object == null) {
      return new PropertyChange.Delete(request.name());
    }
    return old == null
        ? new PropertyChange.Create(request.name(), value(object))
        : new PropertyChange.Update(request.name(), value(old), value(object));
  }

  static PropertyRules.Identity identity(ClusterView cluster) {
    return new PropertyRules.Identity(
        value(cluster, WellKnownProperties.CLUSTER_ID),
        value(cluster, WellKnownProperties.CLUSTER_SET),
        claim(cluster));
  }

  /** The claim to an ID that the cluster has recorded. */
  private static Optional<PropertyRules.ClaimedId> claim(ClusterView cluster) {
    var membership = cluster.get(MEMBERSHIPS, "", "membership");
    var claim = membership == null ? JsonObject.EMPTY : membership.object("status", "claim");
    return claim.string("clusterId").isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PropertyRules.ClaimedId(claim.string("clusterSet"), claim.string("clusterId")));
  }

  private static boolean exists(AdmissionRequest request) {
    return request.cluster().get(COLLECTION, "", request.name()) != null;
  }

  /** The last revision at which any property changed. */
  static long changed(ClusterView cluster) {
    return cluster.changed(COLLECTION);
  }

  private static Optional<String> value(ClusterView cluster, String name) {
    return Optional.ofNullable(cluster.get(COLLECTION, "", name))
        .map(ClusterPropertyAdmission::value);
  }

  private static String value(JsonObject property) {
    return property.object("spec").string("value");
  }

  private boolean mayManage(AdmissionRequest request) {
    return authorizer
        .authorize(
            Attributes.resource(
                request.user(),
                PropertyRules.MEMBERSHIP_VERB,
                GROUP,
                request.type().kind().version(),
                PLURAL,
                "",
                "",
                WellKnownProperties.CLUSTER_SET))
        .allowed();
  }

  private static List<RelatedStatusUpdate> withId(AdmissionRequest request) {
    var id = request.cluster().get(COLLECTION, "", WellKnownProperties.CLUSTER_ID);
    return id == null
        ? List.of()
        : List.of(
            new RelatedStatusUpdate(
                new GroupVersionResource(GROUP, request.type().kind().version(), PLURAL), id, id));
  }
}
