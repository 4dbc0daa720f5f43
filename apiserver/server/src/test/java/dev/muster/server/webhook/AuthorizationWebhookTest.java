package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.Decision.Outcome;
import dev.muster.authorization.WouldBlockException;
import dev.muster.authorization.modes.AuthorizationConfiguration;
import dev.muster.authorization.modes.AuthorizationConfiguration.FailurePolicy;
import dev.muster.authorization.modes.AuthorizationObserver;
import dev.muster.authorization.modes.AuthorizerChain;
import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.authorization.modes.ConfiguredAuthorizers;
import dev.muster.authorization.modes.ReloadedAuthorizer;
import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.proxy.Network;
import dev.muster.server.webhook.ReviewServer.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about rights to somebody else, over real HTTPS. */
class AuthorizationWebhookTest {
  private static final User JANE =
      new User("jane", "u1", List.of("devs"), Map.of("scopes", List.of("read")));
  private static final Attributes LIST =
      Attributes.resource(JANE, "list", "apps", "v1", "deployments", "", "a", "");

  @TempDir Path folder;
  private final Webhooks webhooks =
      new Webhooks(Network.SYSTEM, EgressSelector.DIRECT, new Random(1));

  private Instant now = Instant.EPOCH;

  @AfterEach
  void close() {
    webhooks.close();
  }

  private ConfiguredAuthorizers authorizers() {
    return new ConfiguredAuthorizers(
        Map.of(),
        webhooks,
        () -> new WebhookCalls.OneService(0),
        new Random(2),
        () -> now,
        AuthorizationObserver.NONE);
  }

  private AuthorizerChain chain(
      ReviewServer server,
      String version,
      Duration timeout,
      FailurePolicy policy,
      String... conditions) {
    var webhook =
        new AuthorizationConfiguration.Webhook(
            timeout,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            version,
            policy,
            server.kubeconfig(folder),
            List.of(conditions));
    return authorizers()
        .chain(
            new AuthorizationConfiguration(
                List.of(
                    new AuthorizationConfiguration.Entry(
                        AuthorizerType.WEBHOOK, "hook", webhook))));
  }

  private AuthorizerChain chain(ReviewServer server, String... conditions) {
    return chain(server, "v1", Duration.ofSeconds(10), FailurePolicy.NO_OPINION, conditions);
  }

  /** Asks where waiting is allowed. */
  private static Decision ask(Authorizer authorizer, Attributes attributes) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.submit(() -> authorizer.authorize(attributes)).get();
    }
  }

  @Test
  void whatTheKubeconfigShowsIsReadAgain() throws Exception {
    try (var server = new ReviewServer(r -> Said.of("{'allowed':true}"))) {
      var chain = chain(server);
      var file = server.kubeconfig(folder);
      assertThat(ask(chain, LIST).allowed()).isTrue();
      Files.writeString(file, Files.readString(file).replace("secret-word", "next-word"));
      now = now.plusSeconds(60);
      assertThat(ask(chain, Attributes.path(JANE, "get", "/version")).allowed()).isTrue();
      assertThat(server.authorizations).containsExactly("Bearer secret-word", "Bearer next-word");
    }
  }

  @Test
  void aQuestionSaysEverythingAndItsAnswerIsRemembered() throws Exception {
    try (var server = new ReviewServer(r -> Said.of("{'allowed':true,'reason':'fine'}"))) {
      var chain = chain(server);
      var some =
          LIST.selecting(
              FieldSelector.parse("metadata.name=x,spec.a!=b"),
              LabelSelector.parse("app in (a,b),!old,size>3"));
      assertThat(ask(chain, some)).isEqualTo(Decision.allow("fine"));
      assertThat(ask(chain, some)).isEqualTo(Decision.allow("fine"));
      assertThat(server.reviews).hasSize(1);
      assertThat(server.authorizations).containsExactly("Bearer secret-word");
      assertThat(server.reviews.getFirst().toString())
          .isEqualTo(
              """
              {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},\
              "spec":{"resourceAttributes":{"namespace":"a","verb":"list","group":"apps",\
              "version":"v1","resource":"deployments","fieldSelector":{"requirements":[\
              {"key":"metadata.name","operator":"In","values":["x"]},\
              {"key":"spec.a","operator":"NotIn","values":["b"]}]},\
              "labelSelector":{"requirements":[\
              {"key":"app","operator":"In","values":["a","b"]},\
              {"key":"old","operator":"DoesNotExist"}]}},\
              "user":"jane","groups":["devs"],"extra":{"scopes":["read"]},"uid":"u1"},\
              "status":{"allowed":false}}\
              """);
      assertThat(ask(chain, Attributes.path(JANE, "get", "/version")).allowed()).isTrue();
      assertThat(server.reviews.getLast().object("spec").object("nonResourceAttributes").toString())
          .isEqualTo("{\"path\":\"/version\",\"verb\":\"get\"}");
    }
  }

  @Test
  void aWebhookAllowsDeniesOrLeavesItToOthers() throws Exception {
    var status = new String[] {"{'allowed':false,'reason':'who knows'}"};
    try (var server = new ReviewServer(r -> Said.of(status[0]))) {
      assertThat(ask(chain(server), LIST)).isEqualTo(Decision.noOpinion("who knows", ""));
      status[0] = "{'denied':true,'reason':'never'}";
      assertThat(ask(chain(server), LIST)).isEqualTo(new Decision(Outcome.DENY, "never", ""));
      status[0] = "{'denied':true,'allowed':true}";
      assertThat(ask(chain(server), LIST).error())
          .isEqualTo("webhook subject access review returned both allow and deny response");
    }
  }

  @Test
  void theOlderVersionCallsTheGroupsOtherwise() throws Exception {
    try (var server =
        new ReviewServer(
            r ->
                new Said(
                    200,
                    "{\"apiVersion\":\"authorization.k8s.io/v1beta1\","
                        + "\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":true}}"))) {
      var chain = chain(server, "v1beta1", Duration.ofSeconds(10), FailurePolicy.NO_OPINION);
      assertThat(ask(chain, LIST).allowed()).isTrue();
      var spec = server.reviews.getFirst().object("spec");
      assertThat(spec.array("group").strings()).containsExactly("devs");
      assertThat(spec.has("groups")).isFalse();
    }
  }

  @Test
  void whatCannotBeAskedIsDecidedByTheFailurePolicy() throws Exception {
    try (var server = new ReviewServer(r -> new Said(400, "no"))) {
      var open = ask(chain(server), LIST);
      assertThat(open.outcome()).isEqualTo(Outcome.NO_OPINION);
      assertThat(open.error()).isNotEmpty();
      var closed = ask(chain(server, "v1", Duration.ofSeconds(10), FailurePolicy.DENY), LIST);
      assertThat(closed.outcome()).isEqualTo(Outcome.DENY);
      assertThat(server.reviews).as("what is the client's fault is not tried again").hasSize(2);
    }
  }

  @Test
  void anErrorOfTheWebhookIsWorthAnotherTry() throws Exception {
    var count = new AtomicInteger();
    try (var server =
        new ReviewServer(
            r ->
                count.incrementAndGet() == 1 ? new Said(500, "{}") : Said.of("{'allowed':true}"))) {
      assertThat(ask(chain(server), LIST).allowed()).isTrue();
      assertThat(server.reviews).hasSize(2);
    }
  }

  @Test
  void aWebhookThatHangsIsGivenUp() throws Exception {
    var release = new CountDownLatch(1);
    try (var server =
        new ReviewServer(
            r -> {
              await(release);
              return Said.of("{'allowed':true}");
            })) {
      var chain = chain(server, "v1", Duration.ofMillis(200), FailurePolicy.DENY);
      var decision = ask(chain, LIST);
      assertThat(decision.outcome()).isEqualTo(Outcome.DENY);
      assertThat(decision.error()).contains("deadline exceeded");
      release.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void equalQuestionsAreSentOnce() throws Exception {
    var release = new CountDownLatch(1);
    try (var server =
            new ReviewServer(
                r -> {
                  await(release);
                  return Said.of("{'allowed':true}");
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var chain = chain(server);
      var answers = new ArrayList<Future<Decision>>();
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(() -> chain.authorize(LIST)));
      }
      release.countDown();
      for (var answer : answers) {
        assertThat(answer.get().allowed()).isTrue();
      }
      assertThat(server.reviews).hasSize(1);
    }
  }

  @Test
  void nobodyWaitsOnAThreadThatMustNot() throws Throwable {
    try (var server = new ReviewServer(r -> Said.of("{'allowed':true}"))) {
      var chain = chain(server);
      assertThatThrownBy(() -> onPlatformThread(chain)).isInstanceOf(WouldBlockException.class);
      assertThat(server.reviews).isEmpty();
      assertThat(ask(chain, LIST).allowed()).isTrue();
      assertThat(onPlatformThread(chain).allowed()).isTrue();
    }
  }

  private static Decision onPlatformThread(Authorizer authorizer) throws Throwable {
    try (var thread = Executors.newSingleThreadExecutor()) {
      return thread.submit(() -> authorizer.authorize(LIST)).get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void conditionsSayWhetherAWebhookIsAsked() throws Exception {
    try (var server = new ReviewServer(r -> Said.of("{'allowed':true}"))) {
      var chain =
          chain(
              server,
              "has(request.resourceAttributes) && request.resourceAttributes.namespace == 'a'",
              "!('system:nodes' in request.groups)");
      assertThat(ask(chain, LIST).allowed()).isTrue();
      var other = Attributes.resource(JANE, "get", "", "v1", "pods", "", "b", "x");
      assertThat(ask(chain, other)).isEqualTo(Decision.NO_OPINION);
      assertThat(ask(chain, Attributes.path(JANE, "get", "/healthz")))
          .isEqualTo(Decision.NO_OPINION);
      assertThat(server.reviews).hasSize(1);

      var failing = chain(server, "request.resourceAttributes.namespace == 'a'");
      assertThat(ask(failing, Attributes.path(JANE, "get", "/healthz")).error())
          .startsWith(
              "cel evaluation error: expression 'request.resourceAttributes.namespace == 'a''"
                  + " resulted in error: ");
    }
  }

  @Test
  void selectorsAreThereForConditions() throws Exception {
    try (var server = new ReviewServer(r -> Said.of("{'allowed':true}"))) {
      var chain =
          chain(
              server,
              "has(request.resourceAttributes.fieldSelector) &&"
                  + " request.resourceAttributes.fieldSelector.requirements.exists(r,"
                  + " r.key == 'spec.nodeName' && r.operator == 'In' && r.values == ['n1'])");
      assertThat(ask(chain, LIST)).isEqualTo(Decision.NO_OPINION);
      var some = LIST.selecting(FieldSelector.parse("spec.nodeName=n1"), LabelSelector.EVERYTHING);
      assertThat(ask(chain, some).allowed()).isTrue();
    }
  }

  @Test
  void nobodyCanListWhatAWebhookAllows() {
    try (var server = new ReviewServer(r -> Said.of("{}"))) {
      var rules = chain(server).rulesFor(JANE, "a");
      assertThat(rules.incomplete()).isTrue();
      assertThat(rules.error())
          .isEqualTo("webhook authorizer does not support user rule resolution");
    }
  }

  @Test
  void aChangedFileCountsAndABrokenOneDoesNot() throws Exception {
    try (var yes = new ReviewServer(r -> Said.of("{'allowed':true}"));
        var no = new ReviewServer(r -> Said.of("{'denied':true}"))) {
      var file = folder.resolve("authorization.yaml");
      var first = configuration(yes);
      Files.writeString(file, first);
      var reloaded =
          new ReloadedAuthorizer(file, first.getBytes(StandardCharsets.UTF_8), authorizers());
      assertThat(ask(reloaded, LIST).outcome()).isEqualTo(Outcome.ALLOW);
      Files.writeString(file, configuration(no).replace("timeout: 3s", "timeout: 3h"));
      reloaded.refresh();
      assertThat(ask(reloaded, LIST).outcome()).isEqualTo(Outcome.ALLOW);
      Files.writeString(file, configuration(no));
      reloaded.refresh();
      assertThat(ask(reloaded, LIST).outcome()).isEqualTo(Outcome.DENY);
      Files.writeString(
          file,
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: AuthorizationConfiguration
          authorizers: [{type: AlwaysAllow, name: alwaysallow}]
          """);
      reloaded.refresh();
      assertThat(ask(reloaded, LIST).outcome())
          .as("what was there at the start must stay")
          .isEqualTo(Outcome.DENY);
      Files.delete(file);
      reloaded.refresh();
      assertThat(ask(reloaded, LIST).outcome()).isEqualTo(Outcome.DENY);
    }
  }

  private String configuration(ReviewServer server) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: AuthorizationConfiguration
    authorizers:
    - type: AlwaysDeny
      name: alwaysdeny
    - type: Webhook
      name: hook
      webhook:
        timeout: 3s
        subjectAccessReviewVersion: v1
        failurePolicy: Deny
        connectionInfo: {type: KubeConfigFile, kubeConfigFile: "%s"}
        matchConditionSubjectAccessReviewVersion: v1
        matchConditions:
        - expression: "request.user == 'jane'"
    """
        .formatted(server.kubeconfig(folder));
  }
}
