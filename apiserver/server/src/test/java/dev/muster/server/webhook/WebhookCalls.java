package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.proxy.Network;
import dev.muster.types.ClusterView;
import dev.muster.types.Types;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What tests of calls to webhooks begin with: one that calls, and what it says. */
abstract class WebhookCalls {
  static final Duration LONG = Duration.ofSeconds(30);
  static final Duration SHORT = Duration.ofMillis(300);
  static final int MOST = 1 << 20;
  static final TestHook.Behaviour FRIENDLY =
      (in, out, count) -> TestHook.answer(out, "200 OK", "", "{}");

  final Webhooks webhooks = new Webhooks(Network.SYSTEM, EgressSelector.DIRECT, new Random(1), 4);

  @AfterEach
  void close() {
    webhooks.close();
  }

  static WebhookClient url(int port, String authorities) {
    return new WebhookClient(
        "hook",
        new WebhookAddress.Url(true, "127.0.0.1", port, "127.0.0.1:" + port, "/review"),
        authorities);
  }

  static WebhookCall call(WebhookClient client, Duration timeout, Cancellation gone) {
    return new WebhookCall(
        client,
        new OneService(0),
        "{}".getBytes(StandardCharsets.UTF_8),
        timeout,
        Deadline.after(LONG),
        MOST,
        gone);
  }

  WebhookResponse post(TestHook hook) throws WebhookException {
    return webhooks.post(call(url(hook.port(), TestHook.PEM), LONG, Cancellation.NEVER));
  }

  void fails(int port, Duration timeout, String why) {
    assertThatThrownBy(
            () -> webhooks.post(call(url(port, TestHook.PEM), timeout, Cancellation.NEVER)))
        .isInstanceOf(WebhookException.class)
        .hasMessage(why);
  }

  static String post(int port, String timeout, String why) {
    return "Post \"https://127.0.0.1:%d/review?timeout=%s\": %s".formatted(port, timeout, why);
  }

  /**
   * A cluster with one service, hook in ns, whose only endpoint is a port of this machine.
   *
   * @param port 0 when nobody should look
   */
  record OneService(int port) implements ClusterView {
    private static JsonObject json(String text) {
      return (JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable JsonObject get(String collection, String namespace, String name) {
      return name.equals("hook")
          ? json(
              """
              {"metadata":{"name":"hook","namespace":"ns"},
               "spec":{"type":"ClusterIP","clusterIP":"10.0.0.9","ports":[{"port":443}]}}
              """)
          : null;
    }

    @Override
    public List<JsonObject> list(String collection, String namespace) {
      return List.of(
          json(
              """
              {"metadata":{"labels":{"kubernetes.io/service-name":"hook"}},"addressType":"IPv4",
               "ports":[{"name":"","port":%d}],"endpoints":[{"addresses":["127.0.0.1"]}]}
              """
                  .formatted(port)));
    }

    @Override
    public long revision(String collection, String namespace, String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long changed(String collection) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Types types() {
      throw new UnsupportedOperationException();
    }
  }
}
