package dev.muster.access.admission.webhook;

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
      new HookConfigurations("/validatingwebhookconfigurations");
  private final HookCaller caller;

  /**
   * @param ids of reviews
   */
  public ValidatingWebhooks(WebhookTransport transport, Supplier<String> ids) {
    this.caller = new HookCaller(transport, ids);
  }

  /** What comes of asking a webhook. */
  private record Verdict(List<String> warnings, @Nullable RuntimeException refusal) {}

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    var subject = new Subject(request);
    var hooks = configurations.in(request.cluster());
    if (hooks.isEmpty() || subject.isExempt()) {
      return List.of();
    }
    var invocations = new ArrayList<Invocation>();
    for (var hook : hooks) {
      HookMatcher.match(hook, subject).ifPresent(invocations::add);
    }
    if (!invocations.isEmpty()) {
      if (request.deadline().isOver()) {
        throw HookCaller.timeout();
      }
      conclude(request, verdicts(invocations, subject));
    }
    return List.of();
  }

  private List<Verdict> verdicts(List<Invocation> invocations, Subject subject) {
    if (invocations.size() == 1) {
      return List.of(verdict(invocations.getFirst(), subject));
    }
    var asked =
        invocations.stream()
            .map(
                invocation -> {
                  var verdict = new CompletableFuture<Verdict>();
                  Thread.startVirtualThread(() -> verdict.complete(verdict(invocation, subject)));
                  return verdict;
                })
            .toList();
    try (var _ = Turn.waiting()) {
      return asked.stream().map(CompletableFuture::join).toList();
    }
  }

  private Verdict verdict(Invocation invocation, Subject subject) {
    var hook = invocation.hook();
    List<String> warnings = List.of();
    try {
      var response = caller.ask(invocation, subject, false);
      warnings = response.warnings();
      return new Verdict(warnings, response.allowed() ? null : response.denial(hook.name()));
    } catch (CallFailedException e) {
      try {
        HookCaller.afterFailure(hook, subject, e);
        return new Verdict(warnings, null);
      } catch (ApiException refusal) {
        return new Verdict(warnings, refusal);
      }
    } catch (RuntimeException e) {
      return new Verdict(warnings, e);
    }
  }

  private static void conclude(AdmissionRequest request, List<Verdict> verdicts) {
    for (var verdict : verdicts) {
      verdict.warnings().forEach(request.warnings());
    }
    for (var verdict : verdicts) {
      if (verdict.refusal() != null) {
        throw verdict.refusal();
      }
    }
  }
}
