package dev.muster.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.Cancellation;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.proxy.Network;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whom a call is made to: certificates, services and names. */
class WebhookTrustTest extends WebhookCalls {
  @Test
  void aCertificateOfAStrangerIsRefused() throws Exception {
    var stranger = Authority.create("stranger", Instant.now(), Duration.ofDays(1));
    try (var hook = TestHook.start(FRIENDLY)) {
      var client = url(hook.port(), Pem.of(stranger.certificate()));
      assertThatThrownBy(() -> webhooks.post(call(client, LONG, Cancellation.NEVER)))
          .hasMessage(
              post(
                  hook.port(),
                  "30s",
                  "tls: failed to verify certificate: x509: certificate signed by unknown"
                      + " authority"));
      assertThat(hook.requests).hasValue(0);
      var unknown = url(hook.port(), "");
      assertThatThrownBy(() -> webhooks.post(call(unknown, LONG, Cancellation.NEVER)))
          .hasMessageContaining("certificate signed by unknown authority");
    }
  }

  @Test
  void aCertificateForAnotherNameIsRefused() throws Exception {
    try (var hook = TestHook.start(0, TestHook.identity(List.of("other.ns.svc")), FRIENDLY)) {
      assertThatThrownBy(() -> post(hook))
          .hasMessageContaining("tls: failed to verify certificate: x509: ");
      assertThat(hook.requests).hasValue(0);
    }
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    var expired =
        TestHook.AUTHORITY.server(
            "hook",
            CertificateNames.of(List.of("localhost"), List.of(TestHook.LOOPBACK)),
            Instant.now().minus(Duration.ofHours(2)),
            Duration.ofHours(1));
    try (var hook = TestHook.start(0, expired, FRIENDLY)) {
      assertThatThrownBy(() -> post(hook))
          .hasMessageContaining("certificate has expired or is not yet valid");
    }
  }

  @Test
  void authoritiesThatAreNoneAreNamed() {
    assertThatThrownBy(() -> webhooks.post(call(url(1, "x"), LONG, Cancellation.NEVER)))
        .hasMessage(
            post(1, "30s", "unable to load root certificates: unable to parse bytes as PEM block"));
  }

  @Test
  void aServiceIsReachedAtItsEndpointsUnderItsOwnName() throws Exception {
    try (var hook = TestHook.start(0, TestHook.identity(List.of("hook.ns.svc")), FRIENDLY)) {
      var client =
          new WebhookClient(
              "hook", new WebhookAddress.Service("ns", "hook", 443, "/review"), TestHook.PEM);
      var call =
          new WebhookCall(
              client,
              new OneService(hook.port()),
              new byte[] {'{', '}'},
              LONG,
              Deadline.after(LONG),
              MOST,
              Cancellation.NEVER);
      assertThat(webhooks.post(call).status()).isEqualTo(200);
      var missing = new WebhookAddress.Service("ns", "absent", 443, "");
      assertThatThrownBy(
              () ->
                  webhooks.post(
                      call(
                          new WebhookClient("absent", missing, TestHook.PEM),
                          LONG,
                          Cancellation.NEVER)))
          .hasMessage(
              "Post \"https://absent.ns.svc:443/?timeout=30s\": service \"absent\" not found");
    }
  }

  @Test
  void aNameThatNobodyKnows() {
    Network nowhere =
        name -> {
          throw new UnknownHostException(name);
        };
    try (var lost = new Webhooks(nowhere, EgressSelector.DIRECT, new Random(1))) {
      var client =
          new WebhookClient(
              "hook", new WebhookAddress.Url(true, "h.example", 443, "h.example", "/x"), "");
      assertThatThrownBy(() -> lost.post(call(client, LONG, Cancellation.NEVER)))
          .hasMessage(
              "Post \"https://h.example/x?timeout=30s\": dial tcp: lookup h.example: no such host");
    }
  }
}
