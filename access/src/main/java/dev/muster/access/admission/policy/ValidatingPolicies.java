package dev.muster.access.admission.policy;

import dev.muster.access.Authorizer;
import dev.muster.access.admission.Refusal;
import dev.muster.model.GroupResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread: holds writes against the ValidatingAdmissionPolicies that are in force in
 * the view of the cluster that the write is decided by.
 */
public final class ValidatingPolicies implements Admission {
  private static final String FAILURE = "validation.policy.admission.k8s.io/validation_failure";
  private static final int LONGEST_ANNOTATION = 10 * 1024;

  private final Authorizer authorizer;
  private final PolicySource source = PolicySource.validating();

  public ValidatingPolicies(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    if (!ExcludedResources.contain(request.resource())) {
      var bound = source.in(request.cluster());
      if (!bound.isEmpty()) {
        new Verdict(new PolicyRequest(request, authorizer)).decide(bound);
      }
    }
    return List.of();
  }

  /** The namespace of a request's object, or null when it is in none. */
  static @Nullable JsonObject namespace(PolicyRequest request) {
    if (request.isNamespace() || request.namespace().isEmpty()) {
      return null;
    }
    var found = request.admission().cluster().get("/namespaces", "", request.namespace());
    if (found == null) {
      throw ApiException.notFound(new GroupResource("", "namespaces"), request.namespace());
    }
    return found;
  }

  /** What all policies together say about one request. */
  private static final class Verdict {
    private final PolicyRequest request;
    private @Nullable ApiException refusal;

    Verdict(PolicyRequest request) {
      this.request = request;
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
        var version = policy.criteria().match(request);
        if (version != null) {
          decide(bound, version);
        }
      } catch (ConfigurationException e) {
        misconfigured(policy, null, "failed to configure policy: " + e.text());
      }
    }

    private void decide(PolicySource.Bound bound, MatchedVersion version) {
      var policy = bound.policy();
      var type = Parameters.type(policy, request.admission().cluster());
      var annotations = new LinkedHashMap<String, Set<String>>();
      @Nullable PolicyInputs inputs = null;
      for (var binding : bound.bindings()) {
        try {
          if (!binding.matches(request)) {
            continue;
          }
          var parameters = Parameters.of(binding, type, request);
          if (inputs == null) {
            inputs = new PolicyInputs(request, version, namespace(request));
          }
          for (var parameter : parameters) {
            apply(policy, binding, Validations.of(policy, inputs, parameter.object()), annotations);
          }
        } catch (ConfigurationException e) {
          misconfigured(policy, binding, "failed to configure binding: " + e.text());
        }
      }
      annotations.forEach(
          (key, values) ->
              request
                  .admission()
                  .annotations()
                  .add(policy.name() + "/" + key, String.join(", ", values)));
    }

    private void misconfigured(Policy policy, @Nullable Binding binding, String problem) {
      if (!policy.ignoresFailures()) {
        refuse(policy, binding, PolicyDecision.failed(0, problem));
      }
    }

    private void apply(
        Policy policy,
        Binding binding,
        Validations.Result result,
        Map<String, Set<String>> annotations) {
      for (var denial : result.denials()) {
        for (var action : binding.actions()) {
          switch (action) {
            case "Deny" -> refuse(policy, binding, denial);
            case "Warn" -> request.admission().warnings().accept(warning(policy, binding, denial));
            case "Audit" ->
                request.admission().annotations().add(FAILURE, failure(policy, binding, denial));
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
        refuse(policy, binding, PolicyDecision.failed(0, problem));
      }
    }

    /** The first refusal is the answer. */
    private void refuse(Policy policy, @Nullable Binding binding, PolicyDecision decision) {
      if (refusal != null) {
        return;
      }
      var message =
          "ValidatingAdmissionPolicy '"
              + policy.name()
              + (binding == null ? "'" : "' with binding '" + binding.name() + "'")
              + " denied request: "
              + decision.message();
      var forbidden = Refusal.of(request.admission(), message);
      var causes = new ArrayList<>(forbidden.details().causes());
      causes.add(new StatusDetails.Cause("", message, ""));
      refusal =
          new ApiException(
              decision.reason(),
              forbidden.text(),
              forbidden.details().withCauses(List.copyOf(causes)));
    }

    private static String warning(Policy policy, Binding binding, PolicyDecision denial) {
      return "Validation failed for ValidatingAdmissionPolicy '"
          + policy.name()
          + "' with binding '"
          + binding.name()
          + "': "
          + denial.message();
    }

    private static String failure(Policy policy, Binding binding, PolicyDecision denial) {
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

    /** At most so many bytes; a character that does not fit whole is left out. */
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
