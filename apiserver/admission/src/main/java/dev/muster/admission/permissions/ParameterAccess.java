package dev.muster.admission.permissions;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.model.GroupVersion;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requires the permission to read parameters for making a policy use them: all objects of the kind
 * that a policy names, or the objects that a binding refers to. Runs on otherwise valid objects.
 */
public final class ParameterAccess implements Admission {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final String VALIDATING = "validatingadmissionpolicies";
  private static final String MUTATING = "mutatingadmissionpolicies";
  private static final Map<String, String> POLICIES =
      Map.of(
          "validatingadmissionpolicybindings", VALIDATING,
          "mutatingadmissionpolicybindings", MUTATING);

  private final Authorizer authorizer;

  public ParameterAccess(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /** The resource that the user must be able to read; unknown parts are {@code *}. */
  private record Target(String group, String version, String resource) {
    static final Target ANY = new Target("*", "*", "*");
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.createsOrUpdates()
        && request.subresource().isEmpty()
        && request.type().kind().group().equals(GROUP)
        && !request.user().in(User.MASTERS)) {
      var plural = request.type().plural();
      if (plural.equals(VALIDATING) || plural.equals(MUTATING)) {
        policy(request);
      } else if (POLICIES.containsKey(plural)) {
        binding(request, POLICIES.getOrDefault(plural, ""));
      }
    }
    return List.of();
  }

  private void policy(AdmissionRequest request) {
    var kind = parameters(request.mustObject(), "paramKind");
    var old = request.oldObject();
    if (kind == null || (old != null && Objects.equals(kind, parameters(old, "paramKind")))) {
      return;
    }
    if (!may(request, "get", target(request, kind), "*", "*")) {
      throw refusal(
          request,
          "paramKind",
          "user %s must have \"get\" permission on all objects of the referenced paramKind"
                  .formatted(shown(request.user()))
              + " (kind=%s, apiVersion=%s)"
                  .formatted(kind.string("kind"), kind.string("apiVersion")));
    }
  }

  private void binding(AdmissionRequest request, String policies) {
    var reference = parameters(request.mustObject(), "paramRef");
    if (reference == null) {
      return;
    }
    var name = request.mustObject().object("spec").string("policyName");
    var policy = request.cluster().get("/" + policies, "", name);
    var kind = policy == null ? null : parameters(policy, "paramKind");
    var target = kind == null ? Target.ANY : target(request, kind);
    var verb = reference.string("name").isEmpty() ? "list" : "get";
    if (may(request, verb, target, reference.string("namespace"), reference.string("name"))) {
      return;
    }
    var user = shown(request.user());
    var everything =
        " to determine minimum required permissions and user %s does not have \"%s\" permission"
                .formatted(user, verb)
            + " for all groups, versions and resources";
    if (policy == null) {
      throw refusal(request, "paramRef", "unable to get policy " + name + everything);
    }
    if (kind != null && target.resource().equals("*")) {
      throw refusal(request, "paramRef", "unable to resolve paramKind " + shown(kind) + everything);
    }
    throw refusal(
        request,
        "paramRef",
        "user %s does not have \"%s\" permission on the object referenced by paramRef"
            .formatted(
                policies.equals(MUTATING) ? verb : user, policies.equals(MUTATING) ? user : verb));
  }

  private static @Nullable JsonObject parameters(JsonObject object, String field) {
    return object.object("spec").get(field) instanceof JsonObject found ? found : null;
  }

  private static Target target(AdmissionRequest request, JsonObject kind) {
    var version = GroupVersion.parse(kind.string("apiVersion"));
    var type = request.cluster().types().ofKind(version.kind(kind.string("kind")));
    return new Target(version.group(), version.version(), type == null ? "*" : type.plural());
  }

  private boolean may(
      AdmissionRequest request, String verb, Target target, String namespace, String name) {
    return authorizer
        .authorize(
            Attributes.resource(
                request.user(),
                verb,
                target.group(),
                target.version(),
                target.resource(),
                "",
                namespace,
                name))
        .allowed();
  }

  private static ApiException refusal(AdmissionRequest request, String field, String why) {
    return ApiException.invalid(
        request.type().kind().groupKind(),
        request.name(),
        List.of(FieldError.forbidden(FieldPath.of("spec", field), why)));
  }

  private static String shown(JsonObject kind) {
    return "&{" + kind.string("apiVersion") + " " + kind.string("kind") + "}";
  }

  /** A user as Go prints it. */
  private static String shown(User user) {
    var extra = new StringBuilder();
    new TreeMap<>(user.extra())
        .forEach(
            (key, values) ->
                extra
                    .append(extra.isEmpty() ? "" : " ")
                    .append(key)
                    .append(':')
                    .append(go(values)));
    return "&{" + user.name() + " " + user.uid() + " " + go(user.groups()) + " map[" + extra + "]}";
  }

  private static String go(List<String> texts) {
    return "[" + String.join(" ", texts) + "]";
  }
}
