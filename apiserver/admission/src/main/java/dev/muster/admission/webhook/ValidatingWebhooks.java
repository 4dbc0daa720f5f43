package dev.muster.admission.webhook;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.admission.AdmissionObserver.WebhookOutcome;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.registry.commit.AuditAnnotations.Layer;
import dev.muster.types.scheduling.OutboundWait;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls the webhooks of ValidatingWebhookConfigurations concurrently, each on a virtual thread. It
 * waits for all; of several denials, that of the first webhook in order is the response.
 * Thread-safe. Blocks the caller.
 */
public final class ValidatingWebhooks implements Admission {
  private final HookConfigurations configurations;
  private final HookMatcher matcher;
  private final HookCaller caller;

  public ValidatingWebhooks(HookSettings settings) {
    this.configurations = settings.configurations(AdmissionWebhooks.VALIDATING);
    this.matcher = settings.matcher(Step.VALIDATE);
    this.caller = settings.caller();
  }

  /**
   * The result of one call.
   *
   * @param response null when the call failed
   */
  private record Verdict(
      Hook hook, @Nullable AdmissionResponse response, @Nullable RuntimeException refusal) {
    boolean isIgnored() {
      return response == null && refusal == null;
    }
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var attributes = new AdmissionAttributes(request);
    var hooks = configurations.about(attributes);
    if (hooks.isEmpty()) {
      return List.of();
    }
    var invocations = new ArrayList<Invocation>();
    for (var hook : hooks) {
      matcher.match(hook, attributes).ifPresent(invocations::add);
    }
    if (!invocations.isEmpty()) {
      if (request.deadline().isOver()) {
        throw HookCaller.timeout();
      }
      long start = System.nanoTime();
      var verdicts = verdicts(invocations, attributes);
      request.annotations().took(Layer.VALIDATING_WEBHOOKS, System.nanoTime() - start);
      conclude(request, verdicts);
    }
    return List.of();
  }

  private List<Verdict> verdicts(List<Invocation> invocations, AdmissionAttributes attributes) {
    if (invocations.size() == 1) {
      return List.of(verdict(invocations.getFirst(), attributes));
    }
    var waiting = OutboundWait.begin();
    var asked =
        invocations.stream()
            .map(
                invocation ->
                    CompletableFuture.supplyAsync(
                        () -> verdict(invocation, attributes), Thread::startVirtualThread))
            .toList();
    try (waiting) {
      return asked.stream().map(CompletableFuture::join).toList();
    }
  }

  private Verdict verdict(Invocation invocation, AdmissionAttributes attributes) {
    var hook = invocation.hook();
    long start = System.nanoTime();
    var outcome = WebhookOutcome.UNUSABLE;
    int code = 0;
    try {
      var response = caller.ask(invocation, attributes, false);
      var denial = response.allowed() ? null : response.denial(hook.name());
      outcome = denial == null ? WebhookOutcome.ALLOWED : WebhookOutcome.DENIED;
      code = denial == null ? 200 : denial.code();
      return new Verdict(hook, response, denial);
    } catch (CallFailedException e) {
      outcome = HookCaller.outcome(hook);
      code = e.code();
      return new Verdict(hook, null, afterFailure(hook, attributes, e));
    } catch (RuntimeException e) {
      return new Verdict(hook, null, e);
    } finally {
      caller.observe(hook, Step.VALIDATE, attributes, outcome, code, start);
    }
  }

  private static @Nullable ApiException afterFailure(
      Hook hook, AdmissionAttributes attributes, CallFailedException failure) {
    try {
      HookCaller.afterFailure(hook, attributes, failure);
      return null;
    } catch (ApiException refusal) {
      return refusal;
    }
  }

  private static void conclude(AdmissionRequest request, List<Verdict> verdicts) {
    for (int i = 0; i < verdicts.size(); i++) {
      var verdict = verdicts.get(i);
      if (verdict.response() != null) {
        verdict.response().publish(verdict.hook(), request);
      } else if (verdict.isIgnored()) {
        HookAnnotations.of(verdict.hook(), request, false, i).failedOpen(false);
      }
    }
    for (var verdict : verdicts) {
      if (verdict.refusal() != null) {
        throw verdict.refusal();
      }
    }
  }
}
