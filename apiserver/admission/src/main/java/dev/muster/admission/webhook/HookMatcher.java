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
 * Decides which webhooks apply to a request, and in which version. Thread-safe.
 *
 * @param authorizer for the {@code authorizer} variable of match conditions
 * @param observer receives the results of match conditions
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

  /**
   * Whether no webhook from the API applies, so that users can repair webhooks that lock them out.
   */
  static boolean isExempt(AdmissionAttributes attributes) {
    var kind = attributes.own().kind();
    return kind.group().equals("admissionregistration.k8s.io") && EXEMPT.contains(kind.kind());
  }

  /**
   * The call of the webhook for the request; empty when it does not apply.
   *
   * @param attributes with the object after all earlier webhooks
   * @throws ApiException when the rules match and the rest cannot be evaluated
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
