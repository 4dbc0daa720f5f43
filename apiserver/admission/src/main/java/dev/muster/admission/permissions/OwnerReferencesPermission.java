package dev.muster.admission.permissions;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.model.GroupVersion;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.HashSet;
import java.util.List;

/**
 * Requires the permission to delete an object for changing its owner references, and the permission
 * to update an owner's finalizers for references that block its deletion.
 */
public record OwnerReferencesPermission(Authorizer authorizer) implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    boolean ignored = request.isFor("", "pods") && request.subresource().equals("status");
    if (request.createsOrUpdates()
        && !ignored
        && request.object() != null
        && !owners(request.object()).equals(old(request))) {
      check(request);
    }
    return List.of();
  }

  private static List<JsonObject> owners(JsonObject object) {
    return object.object("metadata").array("ownerReferences").objects();
  }

  private static List<JsonObject> old(AdmissionRequest request) {
    var old = request.oldObject();
    return old == null ? List.of() : owners(old);
  }

  private void check(AdmissionRequest request) {
    var type = request.type();
    if (request.operation() == AdmissionOperation.UPDATE) {
      var decision =
          authorizer.authorize(
              Attributes.resource(
                  request.user(),
                  "delete",
                  type.kind().group(),
                  type.kind().version(),
                  type.plural(),
                  request.subresource(),
                  request.namespace(),
                  request.name()));
      if (!decision.allowed()) {
        throw refused(
            request,
            "cannot set an ownerRef on a resource you can't delete: ",
            decision.reason(),
            decision.error());
      }
    }
    var blocking = new HashSet<String>();
    old(request).stream()
        .filter(owner -> owner.isTrue("blockOwnerDeletion"))
        .forEach(owner -> blocking.add(owner.string("uid")));
    var added =
        owners(request.mustObject()).stream()
            .filter(owner -> owner.isTrue("blockOwnerDeletion"))
            .filter(owner -> !blocking.contains(owner.string("uid")))
            .toList();
    if (!added.isEmpty() && !finalizes(request, "*", "*", "*", "", "*").allowed()) {
      added.forEach(owner -> checkOwner(request, owner));
    }
  }

  private void checkOwner(AdmissionRequest request, JsonObject owner) {
    var version = GroupVersion.parse(owner.string("apiVersion"));
    var kind = owner.string("kind");
    var type = request.cluster().types().ofKind(version.kind(kind));
    if (type == null) {
      throw AdmissionDenial.of(
          request,
          "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for"
              + " APIVersion "
              + owner.string("apiVersion")
              + " Kind "
              + kind
              + ": no matches for kind "
              + GoText.quote(kind)
              + " in version "
              + GoText.quote(owner.string("apiVersion")));
    }
    var decision =
        finalizes(
            request,
            version.group(),
            version.version(),
            type.plural(),
            type.namespaced() ? request.namespace() : "",
            owner.string("name"));
    if (!decision.allowed()) {
      throw refused(
          request,
          "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
              + " finalizers on: ",
          decision.reason(),
          decision.error());
    }
  }

  private Decision finalizes(
      AdmissionRequest request,
      String group,
      String version,
      String plural,
      String namespace,
      String name) {
    return authorizer.authorize(
        Attributes.resource(
            request.user(), "update", group, version, plural, "finalizers", namespace, name));
  }

  private static ApiException refused(
      AdmissionRequest request, String what, String reason, String error) {
    return AdmissionDenial.of(request, what + reason + ", " + (error.isEmpty() ? "<nil>" : error));
  }
}
