package dev.muster.authentication.webhook;

import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.store.OutageLog;
import dev.muster.types.ClusterView;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates tokens by sending a TokenReview to a webhook. Thread-safe. Blocks for at most half
 * a minute. Caches nothing itself.
 */
public final class TokenReviewWebhook implements TokenAuthenticator {
  private static final Logger log = LoggerFactory.getLogger(TokenReviewWebhook.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 1 << 20;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final OutageLog outage = new OutageLog(log);
  private final Supplier<WebhookClient> client;
  private final String version;
  private final List<String> audiences;
  private final WebhookTransport transport;
  private final Supplier<? extends ClusterView> views;
  private final WebhookRetries retries;

  /**
   * @param version of {@code authentication.k8s.io}
   * @param audiences this server's audiences
   * @param views used only to look up the address of a service
   * @param pause waits between attempts
   */
  public TokenReviewWebhook(
      Supplier<WebhookClient> client,
      String version,
      List<String> audiences,
      WebhookTransport transport,
      Supplier<? extends ClusterView> views,
      RandomGenerator random,
      WebhookRetries.Pause pause) {
    this.client = client;
    this.version = version;
    this.audiences = List.copyOf(audiences);
    this.transport = transport;
    this.views = views;
    this.retries = new WebhookRetries(FIRST_PAUSE, random, pause);
  }

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> asked) {
    var wanted = asked.isEmpty() ? audiences : asked;
    var status = status(body(bearerToken.token(), wanted));
    var named = status.array("audiences").strings();
    var good = (named.isEmpty() ? audiences : named).stream().filter(wanted::contains).toList();
    if (!wanted.isEmpty() && good.isEmpty()) {
      return null;
    }
    if (!status.isTrue("authenticated")) {
      var error = status.string("error");
      if (!error.isEmpty()) {
        throw new RefusedCredentials(error);
      }
      return null;
    }
    return new TokenUser(user(status.object("user")).authenticated(), good);
  }

  private static User user(JsonObject info) {
    var extra = new LinkedHashMap<String, List<String>>();
    var given = info.object("extra");
    given.keys().forEach(key -> extra.put(key, given.array(key).strings()));
    return new User(
        info.string("username"), info.string("uid"), info.array("groups").strings(), extra);
  }

  private byte[] body(String token, List<String> wanted) {
    var spec = JsonObject.builder().put("token", token);
    if (!wanted.isEmpty()) {
      spec.put("audiences", JsonArray.ofStrings(wanted));
    }
    return JsonWriter.bytes(
        JsonObject.of(
            "kind",
            "TokenReview",
            "apiVersion",
            "authentication.k8s.io/" + version,
            "metadata",
            JsonObject.EMPTY,
            "spec",
            spec.build(),
            "status",
            JsonObject.of("user", JsonObject.EMPTY)));
  }

  /** Sends the review until an answer arrives or another attempt makes no sense. */
  private JsonObject status(byte[] body) {
    var deadline = Deadline.after(TIMEOUT);
    try {
      var status = read(retries.post(transport, () -> call(body, deadline), deadline));
      outage.ended("the webhook authenticator answers again");
      return status;
    } catch (WebhookException e) {
      outage.failed("Failed to make webhook authenticator request: " + e.text());
      throw new RefusedCredentials(e.text());
    }
  }

  private WebhookCall call(byte[] body, Deadline deadline) {
    return new WebhookCall(
        client.get(), views.get(), body, TIMEOUT, deadline, MOST_BYTES, Cancellation.NEVER);
  }

  private JsonObject read(WebhookResponse response) throws WebhookException {
    if (response.status() < 200 || response.status() > 299) {
      throw new WebhookException("the token webhook answered with status " + response.status());
    }
    try {
      if (JsonReader.read(response.body()) instanceof JsonObject review
          && review.string("kind").equals("TokenReview")
          && review.string("apiVersion").equals("authentication.k8s.io/" + version)) {
        return review.object("status");
      }
    } catch (DecodeException e) {
      throw new WebhookException("the token webhook did not answer in JSON: " + e.text());
    }
    throw new WebhookException(
        "the token webhook did not answer with a TokenReview of authentication.k8s.io/" + version);
  }
}
