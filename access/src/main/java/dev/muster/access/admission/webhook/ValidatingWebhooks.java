package dev.muster.access.admission.webhook;

import dev.muster.access.Authorizer;
import dev.muster.access.admission.matching.AdmissionAttributes;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import dev.muster.registry.scheduling.Turn;
import dev.muster.registry.webhook.WebhookTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread, which it blocks. Asks the webhooks of ValidatingWebhookConfigurations all at
 * once, each on a virtual thread of its own. Everybody is waited for; of several refusals, that of
 * the first webhook in order is the answer.
 */
public final class ValidatingWebhooks implements Admission {
  private final HookConfigurations configurations =
      new HookConfigurations(AdmissionWebhooks.VALIDATING);
  private final HookMatcher matcher;
  private final HookCaller caller;

  /**
   * @param authorizer whom conditions may ask about rights
   * @param ids of reviews
   */
  public ValidatingWebhooks(
      Authorizer authorizer, WebhookTransport transport, Supplier<String> ids) {
    this.matcher = new HookMatcher(authorizer);
    this.caller = new HookCaller(transport, ids);
  }

  /**
   * What comes of asking a webhook.
   *
   * @param response null when there is none
   */
  private record Verdict(
      Hook hook, @Nullable AdmissionResponse response, @Nullable RuntimeException refusal) {}

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    var attributes = new AdmissionAttributes(request);
    var hooks = configurations.in(request.cluster());
    if (hooks.isEmpty() || HookMatcher.isExempt(attributes)) {
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
      conclude(request, verdicts(invocations, attributes));
    }
    return List.of();
  }

  private List<Verdict> verdicts(List<Invocation> invocations, AdmissionAttributes attributes) {
    if (invocations.size() == 1) {
      return List.of(verdict(invocations.getFirst(), attributes));
    }
    var asked =
        invocations.stream()
            .map(
                invocation ->
                    CompletableFuture.supplyAsync(
                        () -> verdict(invocation, attributes), Thread::startVirtualThread))
            .toList();
    try (var _ = Turn.waiting()) {
      return asked.stream().map(CompletableFuture::join).toList();
    }
  }

  private Verdict verdict(Invocation invocation, AdmissionAttributes attributes) {
    var hook = invocation.hook();
    try {
      var response = caller.ask(invocation, attributes, false);
      return new Verdict(hook, response, response.allowed() ? null : response.denial(hook.name()));
    } catch (CallFailedException e) {
      try {
        HookCaller.afterFailure(hook, attributes, e);
        return new Verdict(hook, null, null);
      } catch (ApiException refusal) {
        return new Verdict(hook, null, refusal);
      }
    } catch (RuntimeException e) {
      return new Verdict(hook, null, e);
    }
  }

  private static void conclude(AdmissionRequest request, List<Verdict> verdicts) {
    for (var verdict : verdicts) {
      if (verdict.response() != null) {
        verdict.response().warnings().forEach(request.warnings());
        verdict
            .response()
            .annotations()
            .forEach(
                (key, value) ->
                    request.annotations().add(verdict.hook().name() + "/" + key, value));
      }
    }
    for (var verdict : verdicts) {
      if (verdict.refusal() != null) {
        throw verdict.refusal();
      }
    }
  }
}
