package dev.muster.access.admission.webhook;

import dev.muster.access.Authorizer;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.webhook.WebhookTransport;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread, which it blocks. Asks the webhooks of MutatingWebhookConfigurations one after
 * the other: each gets the object as the one before has left it.
 */
public final class MutatingWebhooks implements Admission {
  private final HookConfigurations configurations =
      new HookConfigurations(AdmissionWebhooks.MUTATING);
  private final HookMatcher matcher;
  private final HookCaller caller;

  /**
   * @param authorizer whom conditions may ask about rights
   * @param ids of reviews
   */
  public MutatingWebhooks(
      Authorizer authorizer, WebhookTransport transport, Supplier<String> ids) {
    this.matcher = new HookMatcher(authorizer);
    this.caller = new HookCaller(transport, ids);
  }

  /** Belongs to one request: who was asked, and who has to be asked again. */
  private static final class Memory {
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
    var subject = new Subject(request);
    var hooks = configurations.in(request.cluster());
    if (!hooks.isEmpty() && !subject.isExempt()) {
      var memory = rounds.memory(Memory.class, Memory::new);
      if (rounds.isSecondRound() && !Objects.equals(memory.left, request.object())) {
        memory.objectChanged();
      }
      for (var hook : hooks) {
        subject = asked(hook, subject, memory, rounds);
      }
      memory.left = subject.request().object();
    }
    var object = subject.request().object();
    return object == null ? JsonObject.EMPTY : object;
  }

  private Subject asked(Hook hook, Subject subject, Memory memory, Reinvocation rounds) {
    var invocation = matcher.match(hook, subject).orElse(null);
    if (invocation == null || (rounds.isSecondRound() && !memory.again.contains(hook.id()))) {
      return subject;
    }
    var result = subject;
    try {
      result = changed(invocation, subject);
    } catch (CallFailedException e) {
      HookCaller.afterFailure(hook, subject, e);
    }
    if (result != subject) {
      memory.objectChanged();
      rounds.request();
    }
    if (hook.isReinvoked()) {
      memory.asked.add(hook.id());
    }
    return result;
  }

  /** The subject as the webhook wants it; the same instance when nothing changes. */
  private Subject changed(Invocation invocation, Subject subject) throws CallFailedException {
    var hook = invocation.hook();
    var response = caller.ask(invocation, subject, true);
    response.warnings().forEach(subject.request().warnings());
    response
        .annotations()
        .forEach((key, value) -> subject.request().annotations().add(hook.name() + "/" + key, value));
    if (!response.allowed()) {
      throw response.denial(hook.name());
    }
    if (response.patch().length == 0) {
      return subject;
    }
    var patch = HookPatch.of(hook.name(), response.patch());
    if (patch.isEmpty()) {
      return subject;
    }
    var object = subject.request().object();
    if (object == null) {
      throw ApiException.internal(
          "admission webhook "
              + GoText.quote(hook.name())
              + " attempted to modify the object, which is not supported for this operation");
    }
    if (!response.patchType().equals("JSONPatch")) {
      throw new CallFailedException(
          hook.name(), "unsupported patch type " + GoText.quote(response.patchType()));
    }
    var shown = invocation.converted(object);
    var patched = patch.applied(invocation, shown);
    return patched.equals(shown) ? subject : subject.with(kept(invocation, subject, patched));
  }

  /** What the webhook has made, in the version in which the request is carried out. */
  private static JsonObject kept(Invocation invocation, Subject subject, JsonObject patched) {
    if (!invocation.isWhole()) {
      return patched;
    }
    var type = subject.request().type();
    return type.strategy()
        .defaults(
            type.isCustom() ? type.fromStored(patched) : invocation.type().toStored(patched));
  }
}
