package dev.muster.admission.policy;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.ExpressionInputs;
import dev.muster.admission.matching.MatchedVersion;
import dev.muster.authorization.Authorizer;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the ValidatingAdmissionPolicies that are in force in the view of the cluster on which the
 * write is decided. Thread-safe.
 */
public final class ValidatingPolicies implements Admission {
  private static final String FAILURE = "validation.policy.admission.k8s.io/validation_failure";
  private static final int LONGEST_ANNOTATION = 10 * 1024;

  private final Authorizer authorizer;
  private final AdmissionObserver observer;
  private final PolicySource source;

  /**
   * @param manifests policies from manifest files
   */
  public ValidatingPolicies(
      Authorizer authorizer, AdmissionObserver observer, Supplier<ManifestSet> manifests) {
    this.authorizer = authorizer;
    this.observer = observer;
    this.source = PolicySource.validating(manifests);
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var bound = ExcludedResources.policiesFor(request.resource(), source, request.cluster());
    if (!bound.isEmpty()) {
      new Verdict(new AdmissionAttributes(request)).decide(bound);
    }
    return List.of();
  }

  /** The combined result of all policies for one request. */
  private final class Verdict {
    private final AdmissionAttributes attributes;
    private @Nullable ApiException refusal;

    Verdict(AdmissionAttributes attributes) {
      this.attributes = attributes;
    }

    void decide(List<PolicySource.Bound> all) {
      for (var bound : all) {
        decide(bound);
      }
      if (refusal != null) {
        throw refusal;
      }
    }

    private void decide(PolicySource.Bound bound) {
      var policy = bound.policy();
      try {
        var version = policy.match(attributes);
        if (version != null) {
          decide(bound, version);
        }
      } catch (ConfigurationException e) {
        misconfigured(policy, null, "failed to configure policy: " + e.text());
      }
    }

    private void heard(AdmissionPolicy policy, int errors, boolean excluded, long nanos) {
      observer.conditions(
          policy.name(),
          "policy",
          AdmissionObserver.Step.VALIDATE,
          attributes.request().operation(),
          errors,
          excluded,
          nanos);
    }

    private void decide(PolicySource.Bound bound, MatchedVersion version) {
      var policy = bound.policy();
      var type = Parameters.type(policy, attributes.request().cluster());
      var annotations = new LinkedHashMap<String, Set<String>>();
      @Nullable ExpressionInputs inputs = null;
      for (var binding : bound.bindings()) {
        try {
          if (!binding.matches(attributes)) {
            continue;
          }
          var parameters = Parameters.of(binding, type, attributes);
          if (inputs == null) {
            inputs =
                new ExpressionInputs(attributes, authorizer, version, attributes.namespaceObject());
          }
          for (var parameter : parameters) {
            var result =
                Validations.of(
                    policy,
                    inputs,
                    parameter.object(),
                    (errors, excluded, nanos) -> heard(policy, errors, excluded, nanos));
            apply(policy, binding, result, annotations);
          }
        } catch (ConfigurationException e) {
          misconfigured(policy, binding, "failed to configure binding: " + e.text());
        }
      }
      annotations.forEach(
          (key, values) ->
              attributes
                  .request()
                  .annotations()
                  .add(policy.name() + "/" + key, String.join(", ", values)));
    }

    private void misconfigured(AdmissionPolicy policy, @Nullable Binding binding, String problem) {
      if (!policy.ignoresFailures()) {
        refuse(policy, binding, PolicyDecision.failed(0, problem, 0));
      }
    }

    private void apply(
        AdmissionPolicy policy,
        Binding binding,
        Validations.Result result,
        Map<String, Set<String>> annotations) {
      for (var ignored : result.ignored()) {
        observe(policy, binding, ignored, "allow");
      }
      for (var denial : result.denials()) {
        for (var action : binding.actions()) {
          observe(policy, binding, denial, action.toLowerCase(Locale.ROOT));
          switch (action) {
            case "Deny" -> refuse(policy, binding, denial);
            case "Warn" -> attributes.request().warnings().accept(warning(policy, binding, denial));
            case "Audit" ->
                attributes.request().annotations().add(FAILURE, failure(policy, binding, denial));
            default -> {}
          }
        }
      }
      result
          .annotations()
          .forEach(
              (key, value) ->
                  annotations
                      .computeIfAbsent(key, ignored -> new LinkedHashSet<>())
                      .add(cut(value)));
      for (var problem : result.annotationProblems()) {
        var decision = PolicyDecision.failed(0, problem, 0);
        observe(policy, binding, decision, "deny");
        refuse(policy, binding, decision);
      }
    }

    private void observe(
        AdmissionPolicy policy, Binding binding, PolicyDecision decision, String action) {
      observer.validated(
          policy.name(), binding.name(), decision.message(), action, decision.nanos());
    }

    /** Records a denial; the first one is the response. */
    private void refuse(
        AdmissionPolicy policy, @Nullable Binding binding, PolicyDecision decision) {
      if (refusal != null) {
        return;
      }
      var message =
          "ValidatingAdmissionPolicy '"
              + policy.name()
              + (binding == null ? "'" : "' with binding '" + binding.name() + "'")
              + " denied request: "
              + decision.message();
      var forbidden = AdmissionDenial.of(attributes.request(), message);
      var causes = new ArrayList<>(forbidden.details().causes());
      causes.add(new StatusDetails.Cause("", message, ""));
      refusal =
          new ApiException(
              decision.reason(),
              forbidden.text(),
              forbidden.details().withCauses(List.copyOf(causes)));
    }

    private static String warning(AdmissionPolicy policy, Binding binding, PolicyDecision denial) {
      return "Validation failed for ValidatingAdmissionPolicy '"
          + policy.name()
          + "' with binding '"
          + binding.name()
          + "': "
          + denial.message();
    }

    private static String failure(AdmissionPolicy policy, Binding binding, PolicyDecision denial) {
      return JsonArray.of(
              JsonObject.of(
                  "message",
                  denial.message(),
                  "policy",
                  policy.name(),
                  "binding",
                  binding.name(),
                  "expressionIndex",
                  Json.of(denial.index()),
                  "validationActions",
                  JsonArray.ofStrings(binding.actions())))
          .toString();
    }

    /** Truncates to a number of bytes at a character boundary. */
    private static String cut(String value) {
      var bytes = value.getBytes(StandardCharsets.UTF_8);
      if (bytes.length <= LONGEST_ANNOTATION) {
        return value;
      }
      int end = LONGEST_ANNOTATION;
      while ((bytes[end] & 0xC0) == 0x80) {
        end--;
      }
      return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
  }
}
