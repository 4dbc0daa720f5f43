package dev.muster.admission.permissions;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Forbidden;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requires further permissions for writes of a ResourceClaim's status (KEP-4817): {@code
 * resourceclaims/binding} to allocate devices, and {@code resourceclaims/driver} to report the
 * status of a driver's devices, which may be limited to the claims of the driver's own node.
 */
public final class ClaimStatusAccess implements Admission {
  private static final String GROUP = "resource.k8s.io";
  private static final String CLAIMS = "resourceclaims";
  private static final String NODE_KEY = "authentication.kubernetes.io/node-name";

  private final Authorizer authorizer;

  public ClaimStatusAccess(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.operation() != AdmissionOperation.UPDATE
        || !request.subresource().equals("status")
        || !request.isFor(GROUP, CLAIMS)) {
      return List.of();
    }
    var now = request.mustObject().object("status");
    var before = request.mustOldObject().object("status");
    var errors = new ArrayList<FieldError>();
    binding(request, now, before, errors);
    if (now.has("allocation")) {
      drivers(request, now, before, errors);
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(request.type().kind().groupKind(), request.name(), errors);
    }
    return List.of();
  }

  private void binding(
      AdmissionRequest request, JsonObject now, JsonObject before, List<FieldError> errors) {
    if (now.object("allocation").equals(before.object("allocation"))
        && now.array("reservedFor").equals(before.array("reservedFor"))) {
      return;
    }
    var verb = verb(request);
    var refusal = refusal(request, verb, "binding", "", "");
    if (refusal != null) {
      errors.add(
          FieldError.forbidden(
              FieldPath.of("status", "allocation"),
              "changing status.allocation or status.reservedFor requires"
                  + " resource=\"resourceclaims/binding\", verb=\""
                  + verb
                  + "\" permission: "
                  + refusal));
    }
  }

  private void drivers(
      AdmissionRequest request, JsonObject now, JsonObject before, List<FieldError> errors) {
    var changed = changedDrivers(now, before);
    if (changed.isEmpty()) {
      return;
    }
    var verbs = new ArrayList<String>();
    if (runsOn(request.user(), node(now.object("allocation")))) {
      verbs.add("associated-node:" + verb(request));
    }
    verbs.add("arbitrary-node:" + verb(request));
    for (var driver : changed) {
      String first = null;
      boolean allowed = false;
      for (var verb : verbs) {
        var refusal = refusal(request, verb, "driver", request.namespace(), driver);
        allowed |= refusal == null;
        first = first == null ? refusal : first;
      }
      if (!allowed) {
        errors.add(
            FieldError.forbidden(
                FieldPath.of("status", "devices"),
                "changing status.devices requires resource=\"resourceclaims/driver\", verb=\"["
                    + String.join(" ", verbs)
                    + "]\" permission: "
                    + first));
      }
    }
  }

  /** The drivers whose device status changes. */
  private static Set<String> changedDrivers(JsonObject now, JsonObject before) {
    Map<JsonObject, JsonObject> old = new HashMap<>();
    before.array("devices").objects().forEach(device -> old.put(key(device), device));
    var changed = new TreeSet<String>();
    for (var device : now.array("devices").objects()) {
      if (!Objects.equals(device, old.remove(key(device)))) {
        changed.add(device.string("driver"));
      }
    }
    old.values().forEach(device -> changed.add(device.string("driver")));
    return changed;
  }

  private static JsonObject key(JsonObject device) {
    return JsonObject.of(
        "driver", device.string("driver"),
        "pool", device.string("pool"),
        "device", device.string("device"),
        "shareID", device.string("shareID"));
  }

  /** The single node of the allocated devices, or "". */
  private static String node(JsonObject allocation) {
    var terms = allocation.object("nodeSelector").array("nodeSelectorTerms").objects();
    if (terms.size() != 1 || !terms.getFirst().array("matchExpressions").isEmpty()) {
      return "";
    }
    var fields = terms.getFirst().array("matchFields").objects();
    if (fields.size() != 1) {
      return "";
    }
    var field = fields.getFirst();
    var names = field.array("values").strings();
    return field.string("key").equals("metadata.name")
            && field.string("operator").equals("In")
            && names.size() == 1
        ? names.getFirst()
        : "";
  }

  private static boolean runsOn(User user, String node) {
    return !node.isEmpty()
        && user.name().startsWith(User.SERVICE_ACCOUNT_PREFIX)
        && user.extra().getOrDefault(NODE_KEY, List.of()).equals(List.of(node))
        && Names.dnsSubdomain(node).isEmpty();
  }

  private static String verb(AdmissionRequest request) {
    Json kind = request.options().get("kind");
    return Json.of("PatchOptions").equals(kind) ? "patch" : "update";
  }

  private @Nullable String refusal(
      AdmissionRequest request, String verb, String subresource, String namespace, String name) {
    var attributes =
        Attributes.resource(
            request.user(),
            verb,
            GROUP,
            request.type().kind().version(),
            CLAIMS,
            subresource,
            namespace,
            name);
    var decision = authorizer.authorize(attributes);
    return decision.allowed() ? null : Forbidden.of(attributes, decision).getMessage();
  }
}
