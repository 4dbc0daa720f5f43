package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.proxy.Network;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How many connections a webhook sees that speaks HTTP/1.1. */
class KeptConnectionsTest {
  private static final int AT_ONCE = 60;
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void callsThatEndAtOnceLeaveTheirConnectionsToTheNext() throws Exception {
    var all = new CyclicBarrier(AT_ONCE);
    try (var webhooks =
            new Webhooks(Network.SYSTEM, EgressSelector.DIRECT, new Random(1), AT_ONCE);
        var hook =
            TestHook.start(
                (in, out, count) -> {
                  all.await();
                  TestHook.answer(out, "200 OK", "", "{}");
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 3; round++) {
        var answers = new ArrayList<Future<WebhookResponse>>();
        for (int i = 0; i < AT_ONCE; i++) {
          answers.add(threads.submit(() -> webhooks.post(call(hook.port()))));
        }
        for (var answer : answers) {
          assertThat(answer.get().status()).isEqualTo(200);
        }
      }
      assertThat(hook.connections).hasValue(AT_ONCE);
    }
  }

  private static WebhookCall call(int port) {
    var address = new WebhookAddress.Url(true, "127.0.0.1", port, "127.0.0.1:" + port, "/review");
    return new WebhookCall(
        new WebhookClient("hook", address, TestHook.PEM),
        new WebhookCalls.OneService(0),
        "{}".getBytes(StandardCharsets.UTF_8),
        LONG,
        Deadline.after(LONG),
        1 << 20,
        Cancellation.NEVER);
  }
}
