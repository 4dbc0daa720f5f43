package dev.muster.admission.policy;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.ExpressionEvaluation;
import dev.muster.admission.matching.ExpressionInputs;
import dev.muster.admission.matching.MatchConditions;
import dev.muster.admission.matching.MatchedVersion;
import dev.muster.authorization.Authorizer;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the MutatingAdmissionPolicies that are in force in the view of the cluster on which the
 * write is decided. Thread-safe.
 */
public final class MutatingPolicies implements Admission {
  private final Authorizer authorizer;
  private final AdmissionObserver observer;
  private final PolicySource source;

  /**
   * @param manifests policies from manifest files
   */
  public MutatingPolicies(
      Authorizer authorizer, AdmissionObserver observer, Supplier<ManifestSet> manifests) {
    this.authorizer = authorizer;
    this.observer = observer;
    this.source = PolicySource.mutating(manifests);
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (request.object() != null) {
      var bound = ExcludedResources.policiesFor(request.resource(), source, request.cluster());
      if (!bound.isEmpty()) {
        return new Round(request).mutate(bound);
      }
    }
    return Admission.super.admit(request);
  }

  /** A policy to apply to the object. */
  private record PolicyInvocation(
      AdmissionPolicy policy,
      Binding binding,
      MatchedVersion version,
      @Nullable JsonObject parameter) {

    InvokedPolicies.Key key() {
      var metadata = parameter == null ? JsonObject.EMPTY : parameter.object("metadata");
      return new InvokedPolicies.Key(
          policy.name(), binding.name(), metadata.string("namespace"), metadata.string("name"));
    }
  }

  /** Why a policy failed. */
  private record Failure(
      AdmissionPolicy policy, @Nullable Binding binding, String problem, Reason reason) {

    String text() {
      return binding == null
          ? "policy \"" + policy.name() + "\" denied request: " + problem
          : "policy '%s' with binding '%s' denied request: %s"
              .formatted(policy.name(), binding.name(), problem);
    }
  }

  /** One round of all policies for one request. */
  private final class Round {
    private final AdmissionRequest request;
    private final InvokedPolicies invoked;
    private final List<Failure> failures = new ArrayList<>();
    private JsonObject object;

    Round(AdmissionRequest request) {
      this.request = request;
      this.object = request.mustObject();
      this.invoked = request.reinvocation().memory(InvokedPolicies.class, InvokedPolicies::new);
    }

    JsonObject mutate(List<PolicySource.Bound> bound) {
      var invocations = invocations(bound);
      if (!invocations.isEmpty()) {
        if (request.reinvocation().isSecondRound() && invoked.isChanged(object)) {
          invoked.changed();
        }
        var namespace = attributes().namespaceObject();
        invocations.forEach(invocation -> invoke(invocation, namespace));
        invoked.left(object);
      }
      refuse();
      return object;
    }

    private List<PolicyInvocation> invocations(List<PolicySource.Bound> all) {
      var seen = attributes();
      var found = new ArrayList<PolicyInvocation>();
      for (var bound : all) {
        try {
          var version = bound.policy().match(seen);
          if (version != null) {
            add(bound, version, seen, found);
          }
        } catch (ConfigurationException e) {
          fail(bound.policy(), null, "failed to configure policy: " + e.text(), Reason.FORBIDDEN);
        }
      }
      return found;
    }

    private void add(
        PolicySource.Bound bound,
        MatchedVersion version,
        AdmissionAttributes seen,
        List<PolicyInvocation> found) {
      var policy = bound.policy();
      var type = Parameters.type(policy, request.cluster());
      for (var binding : bound.bindings()) {
        try {
          if (binding.matches(seen)) {
            for (var parameter : Parameters.of(binding, type, seen)) {
              found.add(new PolicyInvocation(policy, binding, version, parameter.object()));
            }
          }
        } catch (ConfigurationException e) {
          fail(policy, binding, "failed to configure binding: " + e.text(), Reason.FORBIDDEN);
        }
      }
    }

    private void invoke(PolicyInvocation invocation, @Nullable JsonObject namespace) {
      var policy = invocation.policy();
      var inputs = inputs(invocation, namespace).forConditions(invocation.parameter());
      switch (policy
          .expressions()
          .conditions()
          .evaluate(
              inputs,
              (errors, excluded, nanos) ->
                  observer.conditions(
                      policy.name(),
                      "policy",
                      AdmissionObserver.Step.ADMIT,
                      request.operation(),
                      errors,
                      excluded,
                      nanos))) {
        case MatchConditions.Result.Hold _ -> {}
        case MatchConditions.Result.Excluded _ -> {
          return;
        }
        case MatchConditions.Result.Failed failed -> {
          fail(policy, invocation.binding(), failed.problem(), Reason.INVALID);
          return;
        }
      }
      var key = invocation.key();
      if (request.reinvocation().isSecondRound() && !invoked.isAskedAgain(key)) {
        return;
      }
      var before = object;
      var mutations = policy.spec().array("mutations").objects();
      for (int i = 0; i < mutations.size(); i++) {
        long start = System.nanoTime();
        var problem = "";
        try {
          mutate(invocation, i, mutations.get(i), namespace);
        } catch (ConfigurationException e) {
          problem = e.text();
        } catch (ExpressionEvaluation.ExhaustedException e) {
          problem = ExpressionEvaluation.ExhaustedException.TEXT;
        }
        observer.mutated(
            policy.name(), invocation.binding().name(), problem, System.nanoTime() - start);
        if (!problem.isEmpty()) {
          fail(policy, invocation.binding(), problem, Reason.INVALID);
        }
      }
      if (!object.equals(before)) {
        invoked.changed();
        request.reinvocation().request();
      }
      if (policy.spec().string("reinvocationPolicy").equals("IfNeeded")) {
        invoked.invoked(key);
      }
    }

    private AdmissionAttributes attributes() {
      return new AdmissionAttributes(request.withObject(object));
    }

    private ExpressionInputs inputs(PolicyInvocation invocation, @Nullable JsonObject namespace) {
      return new ExpressionInputs(attributes(), authorizer, invocation.version(), namespace);
    }

    private void mutate(
        PolicyInvocation invocation,
        int index,
        JsonObject mutation,
        @Nullable JsonObject namespace) {
      boolean patches = mutation.string("patchType").equals("JSONPatch");
      var expressions = invocation.policy().expressions();
      var expression =
          expressions.of(
              patches ? AdmissionPolicy.Use.JSON_PATCH : AdmissionPolicy.Use.APPLY_CONFIGURATION,
              index);
      if (expression == null) {
        throw new ConfigurationException("a mutation has no expression");
      }
      var variables = inputs(invocation, namespace).forExpressions(invocation.parameter(), true);
      var evaluation =
          new ExpressionEvaluation(variables, expressions.variables(), ExpressionEvaluation.BUDGET);
      switch (evaluation.evaluate(expression)) {
        case ExpressionEvaluation.Result.Failed failed ->
            throw new ConfigurationException(failed.problem());
        case ExpressionEvaluation.Result.Value value -> {
          var version = invocation.version();
          var shown = version.shown(object);
          var changed =
              patches
                  ? Mutation.patched(shown, value.value(), version, request.cluster().types())
                  : Mutation.applied(shown, value.value(), version);
          if (!changed.equals(shown)) {
            object = version.kept(changed, request.type());
          }
        }
      }
    }

    private void fail(
        AdmissionPolicy policy, @Nullable Binding binding, String problem, Reason reason) {
      if (!policy.ignoresFailures()) {
        failures.add(new Failure(policy, binding, problem, reason));
      }
    }

    /** Throws the first failure, with all failures as causes. */
    private void refuse() {
      if (failures.isEmpty()) {
        return;
      }
      var details = AdmissionDenial.of(request, "").details();
      var causes = new ArrayList<>(details.causes());
      for (var failure : failures) {
        causes.add(new StatusDetails.Cause("", failure.text(), ""));
      }
      var first = failures.getFirst();
      throw new ApiException(
          first.reason(),
          Reason.FORBIDDEN.code(),
          first.text(),
          details.withCauses(List.copyOf(causes)));
    }
  }
}
