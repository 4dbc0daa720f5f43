package dev.muster.admission.webhook;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.ExpressionInputs;
import dev.muster.admission.matching.MatchConditions;
import dev.muster.authorization.Authorizer;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionObserver.Step;
import java.util.Optional;
import java.util.Set;

/**
 * Safe for any thread. Says which webhooks are asked about a request, and in which version.
 *
 * @param authorizer whom conditions may ask about rights
 * @param observer hears what comes of conditions
 */
record HookMatcher(Authorizer authorizer, AdmissionObserver observer, Step step) {
  private static final Set<String> EXEMPT =
      Set.of(
          "ValidatingWebhookConfiguration",
          "MutatingWebhookConfiguration",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding",
          "MutatingAdmissionPolicy",
          "MutatingAdmissionPolicyBinding");

  /** Whether nobody is asked, so that who has locked himself out can repair what did it. */
  static boolean isExempt(AdmissionAttributes attributes) {
    var kind = attributes.own().kind();
    return kind.group().equals("admissionregistration.k8s.io") && EXEMPT.contains(kind.kind());
  }

  /**
   * How the webhook is to be asked; empty when it is not.
   *
   * @param attributes with the object as it is when it is the webhook's turn
   * @throws ApiException when that cannot be said of a request which the rules name
   */
  Optional<Invocation> match(Hook hook, AdmissionAttributes attributes) {
    var version = hook.criteria().match(attributes);
    if (version == null) {
      return Optional.empty();
    }
    var invocation = new Invocation(hook, version);
    return meetsConditions(invocation, attributes) ? Optional.of(invocation) : Optional.empty();
  }

  private boolean meetsConditions(Invocation invocation, AdmissionAttributes attributes) {
    var hook = invocation.hook();
    if (hook.conditions().isEmpty()) {
      return true;
    }
    var inputs = new ExpressionInputs(attributes, authorizer, invocation.version(), null);
    var operation = attributes.request().operation();
    return switch (hook.conditions()
        .evaluate(
            inputs.forConditions(null),
            (errors, excluded, nanos) ->
                observer.conditions(
                    hook.name(), "webhook", step, operation, errors, excluded, nanos))) {
      case MatchConditions.Result.Hold _ -> true;
      case MatchConditions.Result.Excluded _ -> false;
      case MatchConditions.Result.Failed(var problem) -> {
        if (hook.ignoresFailure()) {
          yield false;
        }
        throw ApiException.forbidden(attributes.request().resource(), attributes.name(), problem);
      }
    };
  }
}
