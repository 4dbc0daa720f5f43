package dev.muster.authorization.rbac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.GroupResource;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Locale;

/**
 * Prevents privilege escalation: a user may only grant rights that the user holds, unless allowed
 * to {@code escalate} the role or to {@code bind} it. With RBAC it runs for every write of a role
 * or binding, before the object's validation.
 */
public final class Escalation implements Admission {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final List<PolicyRule> EVERYTHING =
      List.of(
          new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

  private final Authorizer authorizer;
  private final RbacAuthorizer rbac;

  /**
   * @param authorizer all modes together, for the verbs {@code bind} and {@code escalate}
   */
  public Escalation(Authorizer authorizer, RbacAuthorizer rbac) {
    this.authorizer = authorizer;
    this.rbac = rbac;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var object = request.object();
    if (object == null) {
      return JsonObject.EMPTY;
    }
    boolean write = request.createsOrUpdates();
    if (write
        && request.type().kind().group().equals(RBAC)
        && request.subresource().isEmpty()
        && !request.user().in(User.MASTERS)
        && !changesOwnershipOnly(request, object)) {
      switch (request.type().plural()) {
        case "roles", "clusterroles" -> checkRole(request, object);
        case "rolebindings", "clusterrolebindings" -> checkBinding(request, object);
        default -> {
          // Other resources of the group grant nothing.
        }
      }
    }
    return object;
  }

  private void checkRole(AdmissionRequest request, JsonObject role) {
    var plural = request.type().plural();
    var asked = request.operation() == AdmissionOperation.CREATE ? "" : request.name();
    if (may(request, "escalate", RBAC, plural, asked)) {
      return;
    }
    var name = role.object("metadata").string("name");
    var resource = new GroupResource(RBAC, plural);
    confirm(request, PolicyRule.allOf(role), resource, name);
    var old = request.oldObject();
    if (plural.equals("clusterroles")
        && (aggregates(role) || (old != null && aggregates(old)))
        && !Coverage.covers(held(request).rules(), EVERYTHING)) {
      throw ApiException.forbidden(
          resource, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  private static boolean aggregates(JsonObject role) {
    return !role.object("aggregationRule").array("clusterRoleSelectors").isEmpty();
  }

  private void checkBinding(AdmissionRequest request, JsonObject binding) {
    var roleRef = binding.object("roleRef");
    var kind = roleRef.string("kind");
    var roles = kind.equals("Role") ? "roles" : kind.equals("ClusterRole") ? "clusterroles" : "";
    if (!roles.isEmpty()
        && may(request, "bind", roleRef.string("apiGroup"), roles, roleRef.string("name"))) {
      return;
    }
    var view = rbac.view();
    var rules = rbac.indexFor(view).rules(roleRef, request.namespace(), view);
    if (rules == null) {
      throw unresolved(roleRef);
    }
    var resource = new GroupResource(RBAC, request.type().plural());
    confirm(request, rules, resource, binding.object("metadata").string("name"));
  }

  private static ApiException unresolved(JsonObject roleRef) {
    var why = RbacIndex.unresolved(roleRef);
    return switch (roleRef.string("kind")) {
      case "Role", "ClusterRole" ->
          new ApiException(
              Reason.NOT_FOUND,
              why,
              new StatusDetails(
                  roleRef.string("name"),
                  RBAC,
                  roleRef.string("kind").toLowerCase(Locale.ROOT),
                  "",
                  List.of(),
                  0));
      default -> ApiException.internal(why);
    };
  }

  private boolean may(
      AdmissionRequest request, String verb, String group, String plural, String name) {
    return authorizer
        .authorize(
            Attributes.resource(
                request.user(), verb, group, "*", plural, "", request.namespace(), name))
        .allowed();
  }

  private RuleResolver.Rules held(AdmissionRequest request) {
    return rbac.rulesFor(request.user(), request.namespace());
  }

  private void confirm(
      AdmissionRequest request, List<PolicyRule> wanted, GroupResource resource, String name) {
    var held = held(request);
    var missing = new MissingRights();
    var end = Coverage.missing(held.rules(), wanted, missing).end();
    if (end == Coverage.End.COMPLETE && missing.isEmpty()) {
      return;
    }
    var user = request.user();
    var error = held.error();
    throw ApiException.forbidden(
        resource,
        name,
        "user "
            + Json.of(user.name())
            + " (groups="
            + PolicyRule.quoted(user.groups())
            + ") is attempting to grant RBAC permissions "
            + missing.describe(end)
            + (error.isEmpty() ? "" : "; resolution errors: [" + error + "]"));
  }

  /**
   * Whether an update only changes owner references and finalizers, as the garbage collector does;
   * such an update grants nothing.
   */
  private static boolean changesOwnershipOnly(AdmissionRequest request, JsonObject object) {
    var old = request.oldObject();
    return old != null && withoutOwnership(object).equals(withoutOwnership(old));
  }

  private static JsonObject withoutOwnership(JsonObject object) {
    return object
        .withoutAt("metadata", "ownerReferences")
        .withoutAt("metadata", "finalizers")
        .withoutAt("metadata", "managedFields");
  }
}
