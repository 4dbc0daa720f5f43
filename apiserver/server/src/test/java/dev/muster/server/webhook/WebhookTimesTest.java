package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookResponse;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Calls to webhooks that take too long, or that nobody waits for any more. */
class WebhookTimesTest extends WebhookCalls {
  @Test
  void aHookThatHangsIsLeftInTime() throws Exception {
    var over = new CountDownLatch(1);
    try (var hook = TestHook.start((in, out, count) -> over.await())) {
      fails(hook.port(), SHORT, post(hook.port(), "300ms", "context deadline exceeded"));
      over.countDown();
      Awaitility.await().until(() -> hook.open() == 0);
      assertThat(webhooks.keptConnections()).isZero();
      assertThat(webhooks.calledNow()).isZero();
    }
  }

  @Test
  void theRequestsOwnTimeEndsTheCallToo() throws Exception {
    var over = new CountDownLatch(1);
    try (var hook = TestHook.start((in, out, count) -> over.await())) {
      var call =
          new WebhookCall(
              url(hook.port(), TestHook.PEM),
              new OneService(0),
              new byte[] {'{', '}'},
              LONG,
              Deadline.after(SHORT),
              MOST,
              Cancellation.NEVER);
      assertThatThrownBy(() -> webhooks.post(call))
          .hasMessage(post(hook.port(), "30s", "context deadline exceeded"));
      over.countDown();
    }
  }

  @Test
  void aHandshakeThatDoesNotEndIsLeftInTime() throws Exception {
    try (var mute = new ServerSocket(0, 5, TestHook.LOOPBACK)) {
      int port = mute.getLocalPort();
      fails(port, SHORT, post(port, "300ms", "context deadline exceeded"));
    }
  }

  @Test
  void aCallEndsWithWhoAsked() throws Exception {
    var asked = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    try (var hook =
            TestHook.start(
                (in, out, count) -> {
                  asked.countDown();
                  over.await();
                });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var actions = new ArrayList<Runnable>();
      var result =
          threads.submit(
              () -> webhooks.post(call(url(hook.port(), TestHook.PEM), LONG, actions::add)));
      asked.await();
      actions.forEach(Runnable::run);
      assertThatThrownBy(result::get)
          .hasRootCauseMessage(post(hook.port(), "30s", "context canceled"));
      over.countDown();
      Awaitility.await().until(() -> hook.open() == 0);
    }
  }

  @Test
  void aHookThatHangsHoldsUpItsOwnCallersOnly() throws Exception {
    var over = new CountDownLatch(1);
    var most = new AtomicInteger();
    var inside = new AtomicInteger();
    try (var hanging =
            TestHook.start(
                (in, out, count) -> {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  over.await();
                  inside.decrementAndGet();
                  TestHook.answer(out, "200 OK", "", "{}");
                });
        var friendly = TestHook.start(FRIENDLY);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = new ArrayList<Future<WebhookResponse>>();
      var client = url(hanging.port(), TestHook.PEM);
      for (int i = 0; i < 10; i++) {
        waiting.add(threads.submit(() -> webhooks.post(call(client, LONG, Cancellation.NEVER))));
      }
      Awaitility.await().until(() -> inside.get() == 4);
      var other = new WebhookClient("other", url(friendly.port(), "").address(), TestHook.PEM);
      assertThat(webhooks.post(call(other, LONG, Cancellation.NEVER)).status()).isEqualTo(200);
      over.countDown();
      for (var each : waiting) {
        assertThat(each.get().status()).isEqualTo(200);
      }
      assertThat(most).hasValue(4);
    }
    Awaitility.await().until(() -> webhooks.calledNow() == 0);
  }
}
