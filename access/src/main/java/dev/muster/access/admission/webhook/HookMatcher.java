package dev.muster.access.admission.webhook;

import dev.muster.access.Authorizer;
import dev.muster.cel.run.Variables;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.JsonValues;
import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread. Says which webhooks are asked about a request, and in which version.
 *
 * @param authorizer whom conditions may ask about rights
 */
record HookMatcher(Authorizer authorizer) {

  /**
   * How the webhook is to be asked; empty when it is not.
   *
   * @param subject with its object as it is when it is the webhook's turn
   * @throws ApiException when that cannot be said of a request which the rules name
   */
  Optional<Invocation> match(Hook hook, Subject subject) {
    var invocation = byRules(hook, subject);
    if (invocation == null || !matchesNamespace(hook, subject) || !matchesObject(hook, subject)) {
      return Optional.empty();
    }
    return meetsConditions(invocation, subject) ? Optional.of(invocation) : Optional.empty();
  }

  private static @Nullable Invocation byRules(Hook hook, Subject subject) {
    for (var rule : hook.rules()) {
      if (rule.matches(subject, subject.resource())) {
        return new Invocation(hook, subject.request().type(), subject.kind());
      }
    }
    if (!hook.equivalent()) {
      return null;
    }
    var equivalents = subject.equivalents();
    for (var rule : hook.rules()) {
      for (var other : equivalents) {
        if (rule.matches(subject, Subject.resource(other))) {
          return new Invocation(hook, other, subject.kind(other));
        }
      }
    }
    return null;
  }

  /** What is in no namespace is never left out, unless it is one itself. */
  private static boolean matchesNamespace(Hook hook, Subject subject) {
    var namespace = subject.namespace();
    if (hook.namespaces().isEverything() || (namespace.isEmpty() && !subject.isNamespace())) {
      return true;
    }
    return hook.namespaces().matches(namespaceLabels(subject));
  }

  /** A namespace that is being written has the labels that it is about to get. */
  private static JsonObject namespaceLabels(Subject subject) {
    var request = subject.request();
    var object = request.object();
    if (subject.isNamespace()
        && request.subresource().isEmpty()
        && request.operation() != AdmissionOperation.DELETE
        && object != null) {
      return labels(object);
    }
    var namespace = request.cluster().get("/namespaces", "", subject.namespace());
    if (namespace == null) {
      throw ApiException.notFound(new GroupResource("", "namespaces"), subject.namespace());
    }
    return labels(namespace);
  }

  /** The object as it will be or as it was; what has no metadata is chosen by no selector. */
  private static boolean matchesObject(Hook hook, Subject subject) {
    return hook.objects().isEverything()
        || isChosen(hook, subject.request().object())
        || isChosen(hook, subject.request().oldObject());
  }

  private static boolean isChosen(Hook hook, @Nullable JsonObject object) {
    return object != null && object.has("metadata") && hook.objects().matches(labels(object));
  }

  private static JsonObject labels(JsonObject object) {
    return object.object("metadata", "labels");
  }

  private boolean meetsConditions(Invocation invocation, Subject subject) {
    var hook = invocation.hook();
    if (hook.conditions().isEmpty()) {
      return true;
    }
    return switch (hook.conditions().match(variables(invocation, subject))) {
      case HookConditions.Matches ignored -> true;
      case HookConditions.Excluded ignored -> false;
      case HookConditions.Failed(var why) -> {
        if (hook.ignoresFailure()) {
          yield false;
        }
        throw ApiException.forbidden(subject.request().resource(), subject.name(), why);
      }
    };
  }

  private Variables variables(Invocation invocation, Subject subject) {
    var request = subject.request();
    return name ->
        switch (name) {
          case "object" -> value(invocation, request.object());
          case "oldObject" -> value(invocation, request.oldObject());
          case "namespaceObject" -> CelNull.NULL;
          case "authorizer" -> AskedRights.authorizer(authorizer, request.user());
          case "authorizer.requestResource" ->
              AskedRights.requested(authorizer, request, subject.namespace());
          case "request" -> JsonValues.of(AdmissionReview.described(invocation, subject));
          default -> null;
        };
  }

  private static Object value(Invocation invocation, @Nullable JsonObject object) {
    return JsonValues.of(object == null ? null : invocation.converted(object));
  }
}
