package dev.muster.validation.resource;

import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.types.ClusterView;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.StatusMetadata;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The strategies of ResourceClaims and ResourceClaimTemplates. The spec of a claim cannot change.
 */
public final class ResourceClaimRules {
  private static final String ADMIN_LABEL = "resource.kubernetes.io/admin-access";
  private static final Set<String> TEMPLATE_METADATA = Set.of("labels", "annotations");
  private static final StructShape METADATA_SHAPE = Schemas.struct(Schemas.META + "ObjectMeta");
  private static final Rule METADATA = namespacedMetadata(NameRule.DNS_SUBDOMAIN);

  public static final Strategy CLAIM =
      ResourceRules.namespaced()
          .status()
          .defaults(
              in("spec", ClaimSpecs.DEFAULTS),
              in(
                  "status",
                  in("allocation", in("devices", each("results", ClaimSpecs.TOLERATIONS)))))
          .among(ResourceClaimRules::adminAccess)
          .create(METADATA, field("spec", ClaimSpecs::check))
          .update(METADATA, metadataUpdate(), field("spec", FieldChecks.immutable()))
          .prepareStatusUpdate(
              (claim, old) -> ClaimStatus.withoutLostDevices(StatusMetadata.kept(claim, old), old))
          .statusUpdate(metadataUpdate(), ClaimStatus::check)
          .answersDeleteWithObject()
          .build();

  private static final Rule TEMPLATE_RULES =
      Rule.all(METADATA, field("spec", ResourceClaimRules::template));

  public static final Strategy TEMPLATE =
      ResourceRules.namespaced()
          .emptyFields(Rules.EMPTY_IN_TEMPLATES.under("spec.metadata"))
          .defaults(in("spec", in("spec", ClaimSpecs.DEFAULTS)))
          .among(ResourceClaimRules::templateAdminAccess)
          .create(TEMPLATE_RULES)
          .update(TEMPLATE_RULES, metadataUpdate(), field("spec", ResourceClaimRules::unchanged))
          .answersDeleteWithObject()
          .build();

  private ResourceClaimRules() {}

  private static void template(FieldCursor spec) {
    var metadata = spec.at("metadata");
    FieldChecks.annotations().check(metadata.at("annotations"));
    FieldChecks.labels().check(metadata.at("labels"));
    for (var name : metadata.object().keys()) {
      if (!TEMPLATE_METADATA.contains(name) && metadata.has(name)) {
        metadata.at(name).forbidden("cannot be set");
      }
    }
    ClaimSpecs.check(spec.at("spec"));
  }

  private static void unchanged(FieldCursor spec) {
    var metadata = Rules.EMPTY_IN_TEMPLATES.dropped(METADATA_SHAPE, spec.at("metadata").object());
    if (!spec.has("metadata")
        || !spec.object().with("metadata", metadata).equals(spec.before().object())) {
      spec.immutable();
    }
  }

  /** Allows admin access only in namespaces with the label for it. */
  private static void adminAccess(
      JsonObject claim, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors) {
    if (old == null) {
      requestedAccess(claim, claim.object("spec", "devices"), cluster, errors);
      return;
    }
    int granted = granted(claim);
    if (granted >= 0 && granted(old) < 0) {
      permitted(
          claim,
          FieldPath.of("status")
              .child("allocation")
              .child("devices")
              .child("results")
              .index(granted)
              .child("adminAccess"),
          cluster,
          errors);
    }
  }

  private static int granted(JsonObject claim) {
    var results = claim.object("status", "allocation", "devices").array("results").objects();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i).isTrue("adminAccess")) {
        return i;
      }
    }
    return -1;
  }

  private static void templateAdminAccess(
      JsonObject template, @Nullable JsonObject old, ClusterView cluster, List<FieldError> errors) {
    if (old == null) {
      requestedAccess(template, template.object("spec", "spec", "devices"), cluster, errors);
    }
  }

  private static void requestedAccess(
      JsonObject object, JsonObject devices, ClusterView cluster, List<FieldError> errors) {
    var requests = devices.array("requests").objects();
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).object("exactly").isTrue("adminAccess")) {
        var path =
            FieldPath.of("spec").child("devices").child("requests").index(i).child("adminAccess");
        permitted(object, path, cluster, errors);
        return;
      }
    }
  }

  private static void permitted(
      JsonObject object, FieldPath path, ClusterView cluster, List<FieldError> errors) {
    var name = object.object("metadata").string("namespace");
    var namespace = cluster.get("/namespaces", "", name);
    if (namespace == null) {
      errors.add(
          FieldError.internal(
              path,
              "could not retrieve namespace to verify admin access: namespaces \""
                  + name
                  + "\" not found"));
    } else if (!namespace.object("metadata", "labels").string(ADMIN_LABEL).equals("true")) {
      errors.add(
          FieldError.forbidden(
              path,
              "admin access to devices requires the `"
                  + ADMIN_LABEL
                  + ": true` label on the containing namespace"));
    }
  }
}
