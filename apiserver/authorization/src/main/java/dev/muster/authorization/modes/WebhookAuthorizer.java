package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.Decision.Outcome;
import dev.muster.authorization.RuleResolver;
import dev.muster.authorization.WouldBlockException;
import dev.muster.authorization.modes.AuthorizationConfiguration.FailurePolicy;
import dev.muster.authorization.modes.AuthorizationObserver.MatchResult;
import dev.muster.authorization.modes.WebhookQuestion.Answer;
import dev.muster.model.User;
import dev.muster.types.scheduling.CpuTask;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The authorization mode {@code Webhook}, which asks a server over HTTPS. Thread-safe. On a thread
 * that must not block, such as an event loop, it returns a cached decision or throws {@link
 * WouldBlockException}. Concurrent equal questions are sent once.
 */
public final class WebhookAuthorizer implements Authorizer, RuleResolver {
  /** Longer questions are not cached, because clients choose their length. */
  private static final int LONGEST_REMEMBERED = 10_000;

  private final String name;
  private final AuthorizationConfiguration.Webhook settings;
  private final ReviewConditions conditions;
  private final WebhookQuestion question;
  private final AuthorizationObserver observer;
  private final LongSupplier nanoTime;
  private final AnswerCache answers;
  private final Map<String, CompletableFuture<Answer>> underWay = new ConcurrentHashMap<>();

  WebhookAuthorizer(
      String name,
      AuthorizationConfiguration.Webhook settings,
      WebhookQuestion question,
      AuthorizationObserver observer,
      LongSupplier nanoTime) {
    this.name = name;
    this.settings = settings;
    this.conditions =
        settings.conditions().isEmpty()
            ? ReviewConditions.NONE
            : ReviewConditions.of(settings.conditions());
    this.question = question;
    this.observer = observer;
    this.nanoTime = nanoTime;
    this.answers = new AnswerCache(nanoTime);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    var spec = SubjectAccessReviews.spec(attributes);
    if (!conditions.isEmpty()) {
      // The configuration decides what match conditions cost, so event loops do not evaluate them.
      mustBeAbleToWait();
      long start = nanoTime.getAsLong();
      var result = conditions.evaluate(SubjectAccessReviews.variable(attributes, spec));
      long took = nanoTime.getAsLong() - start;
      switch (result) {
        case ReviewConditions.Result.Failed failed -> {
          observer.matched(name, MatchResult.FAILED, took);
          return failure(failed.problem());
        }
        case ReviewConditions.Result.Excluded _ -> {
          observer.matched(name, MatchResult.EXCLUDED, took);
          return Decision.NO_OPINION;
        }
        case ReviewConditions.Result.Hold _ -> observer.matched(name, MatchResult.MATCH, took);
      }
    }
    var key = spec.toString();
    var known = answers.find(key);
    if (known != null) {
      return known;
    }
    mustBeAbleToWait();
    return switch (asked(key, attributes)) {
      case Answer.Given given -> given.decision();
      case Answer.Missing missing -> {
        if (settings.failurePolicy() == FailurePolicy.NO_OPINION) {
          observer.failedOpen(name, missing.result());
        }
        yield failure(missing.problem());
      }
    };
  }

  /**
   * Throws on an event loop; a virtual thread, or a pool thread that can give up its place, may
   * wait.
   */
  private static void mustBeAbleToWait() {
    if (!Thread.currentThread().isVirtual() && !CpuTask.isInPlace()) {
      throw new WouldBlockException();
    }
  }

  private Decision failure(String problem) {
    return switch (settings.failurePolicy()) {
      case NO_OPINION -> Decision.noOpinion("", problem);
      case DENY -> new Decision(Outcome.DENY, "", problem);
    };
  }

  /** Sends the question, or waits for the answer to an equal one. */
  private Answer asked(String key, Attributes attributes) {
    var mine = new CompletableFuture<Answer>();
    var before = underWay.putIfAbsent(key, mine);
    if (before != null) {
      try (var _ = CpuTask.waiting()) {
        return before.join();
      }
    }
    Answer answer = new Answer.Missing("the question was not sent", WebhookQuestion.LOST);
    try {
      answer = question.ask(SubjectAccessReviews.spec(attributes));
      if (answer instanceof Answer.Given given && size(attributes) < LONGEST_REMEMBERED) {
        boolean yes = given.decision().allowed();
        answers.put(
            key, given.decision(), yes ? settings.authorizedTtl() : settings.unauthorizedTtl());
      }
    } finally {
      underWay.remove(key, mine);
      mine.complete(answer);
    }
    return answer;
  }

  private static int size(Attributes attributes) {
    return attributes.namespace().length()
        + attributes.verb().length()
        + attributes.group().length()
        + attributes.version().length()
        + attributes.resource().length()
        + attributes.subresource().length()
        + attributes.name().length()
        + attributes.path().length();
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    return new Rules(
        List.of(), true, List.of("webhook authorizer does not support user rule resolution"));
  }

  /** The number of cached decisions. */
  int remembered() {
    return answers.size();
  }
}
