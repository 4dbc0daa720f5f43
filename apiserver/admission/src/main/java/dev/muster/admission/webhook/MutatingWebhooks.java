package dev.muster.admission.webhook;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.admission.AdmissionObserver.WebhookOutcome;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.commit.AuditAnnotations.Layer;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls the webhooks of MutatingWebhookConfigurations in sequence: each gets the object as changed
 * by the ones before. Thread-safe. Blocks the caller.
 */
public final class MutatingWebhooks implements Admission {
  private final HookConfigurations configurations;
  private final HookMatcher matcher;
  private final HookCaller caller;

  public MutatingWebhooks(HookSettings settings) {
    this.configurations = settings.configurations(AdmissionWebhooks.MUTATING);
    this.matcher = settings.matcher(Step.ADMIT);
    this.caller = settings.caller();
  }

  /** Tracks, for one request, which webhooks were called and which must be called again. */
  private static final class AskedHooks {
    private final Set<String> asked = new HashSet<>();
    private final Set<String> again = new HashSet<>();
    private @Nullable JsonObject left;

    void objectChanged() {
      again.addAll(asked);
      asked.clear();
    }
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var rounds = request.reinvocation();
    var attributes = new AdmissionAttributes(request);
    var hooks = configurations.about(attributes);
    if (!hooks.isEmpty()) {
      var memory = rounds.memory(AskedHooks.class, AskedHooks::new);
      if (rounds.isSecondRound() && !Objects.equals(memory.left, request.object())) {
        memory.objectChanged();
      }
      for (int i = 0; i < hooks.size(); i++) {
        attributes = asked(hooks.get(i), i, attributes, memory, rounds);
      }
      memory.left = attributes.request().object();
    }
    var object = attributes.request().object();
    return object == null ? JsonObject.EMPTY : object;
  }

  private AdmissionAttributes asked(
      Hook hook,
      int index,
      AdmissionAttributes attributes,
      AskedHooks memory,
      Reinvocation rounds) {
    var invocation = matcher.match(hook, attributes).orElse(null);
    if (invocation == null || (rounds.isSecondRound() && !memory.again.contains(hook.id()))) {
      return attributes;
    }
    var annotations = HookAnnotations.of(hook, attributes.request(), rounds.isSecondRound(), index);
    var result = called(invocation, attributes, annotations);
    if (result != attributes) {
      memory.objectChanged();
      rounds.request();
    }
    if (hook.isReinvoked()) {
      memory.asked.add(hook.id());
    }
    return result;
  }

  /** The request after the call, or unchanged when the failure policy ignores its failure. */
  private AdmissionAttributes called(
      Invocation invocation, AdmissionAttributes attributes, HookAnnotations annotations) {
    var hook = invocation.hook();
    long start = System.nanoTime();
    var outcome = WebhookOutcome.UNUSABLE;
    int code = 0;
    boolean mutated = false;
    try {
      AdmissionResponse response;
      try {
        response = caller.ask(invocation, attributes, true);
      } finally {
        attributes.request().annotations().took(Layer.MUTATING_WEBHOOKS, System.nanoTime() - start);
      }
      response.publish(hook, attributes.request());
      if (!response.allowed()) {
        var denial = response.denial(hook.name());
        outcome = WebhookOutcome.DENIED;
        code = denial.code();
        throw denial;
      }
      var result = changed(invocation, attributes, response, annotations);
      mutated = result != attributes;
      outcome = WebhookOutcome.ALLOWED;
      code = 200;
      return result;
    } catch (CallFailedException e) {
      outcome = HookCaller.outcome(hook);
      code = e.code();
      HookCaller.afterFailure(hook, attributes, e);
      annotations.failedOpen(true);
      return attributes;
    } finally {
      annotations.mutated(mutated);
      caller.observe(hook, Step.ADMIT, attributes, outcome, code, start);
    }
  }

  /** The request with the webhook's patch; the same instance when nothing changes. */
  private static AdmissionAttributes changed(
      Invocation invocation,
      AdmissionAttributes attributes,
      AdmissionResponse response,
      HookAnnotations annotations)
      throws CallFailedException {
    var hook = invocation.hook();
    if (response.patch().length == 0) {
      return attributes;
    }
    var patch = HookPatch.of(hook.name(), response.patch());
    if (patch.isEmpty()) {
      return attributes;
    }
    var object = attributes.request().object();
    if (object == null) {
      throw ApiException.internal(
          "admission webhook "
              + GoText.quote(hook.name())
              + " attempted to modify the object, which is not supported for this operation");
    }
    if (!response.patchType().equals("JSONPatch")) {
      throw new CallFailedException(
          hook.name(), 400, "unsupported patch type " + GoText.quote(response.patchType()));
    }
    var shown = invocation.version().shown(object);
    var patched = patch.applied(invocation.version(), shown);
    annotations.patched(patch.operations());
    return patched.equals(shown)
        ? attributes
        : attributes.with(invocation.version().kept(patched, attributes.request().type()));
  }
}
