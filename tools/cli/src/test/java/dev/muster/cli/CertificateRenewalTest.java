package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.controllers.ControllersInProcess;
import dev.muster.cli.status.CertificateReport;
import dev.muster.controllers.client.Clients;
import dev.muster.pki.PemFiles;
import dev.muster.pki.PkiFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A control plane that has run for most of a year. Its clock starts in the past, because clients
 * look at certificates by the clock of this machine.
 */
class CertificateRenewalTest {
  private static final List<String> MADE =
      List.of("admin", "controller-manager", "apiserver", "front-proxy/front-proxy-client");

  @TempDir Path folder;

  private record MovedClock(AtomicReference<Instant> now) {
    Clock clock() {
      return new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now.get();
        }
      };
    }
  }

  private X509Certificate made(String name) {
    return PemFiles.certificates(folder.resolve("pki/" + name + ".crt")).getFirst();
  }

  private static void assertWorks(Path kubeconfig) {
    try (var client = Clients.of(kubeconfig)) {
      assertThat(client.namespaces().withName("default").get()).isNotNull();
    }
  }

  @Test
  @Tag("slow")
  void renewsWhatItMadeWhileItRuns() throws Exception {
    var real = Instant.now();
    // Two thirds of ten years end between the start and now, and those of a year.
    PkiFolder.open(folder.resolve("pki"), () -> real.minus(Duration.ofDays(2443)));
    var moved = new MovedClock(new AtomicReference<>(real.minus(Duration.ofDays(300))));
    var up = new UpFlags(1, 0, folder, "memory", null, List.of("*"));
    var flags = Map.of("bind-address", List.of("127.0.0.1"));
    var controllers = ControllersInProcess.read(Map.of(), List.of("*"), null);
    try (var plane = LocalControlPlane.start(up, flags, controllers, moved.clock());
        var connected = Clients.of(plane.kubeconfig())) {
      assertThat(connected.namespaces().list().getItems()).isNotEmpty();
      var oldFile = Files.copy(plane.kubeconfig(), folder.resolve("copied.kubeconfig"));
      var before = new HashMap<String, X509Certificate>();
      MADE.forEach(name -> before.put(name, made(name)));
      var authority = made("ca");

      moved.now().set(real);
      await()
          .atMost(Duration.ofSeconds(90))
          .untilAsserted(
              () -> {
                for (var name : MADE) {
                  assertThat(made(name)).as(name).isNotEqualTo(before.get(name));
                  assertThat(made(name).getNotAfter().toInstant())
                      .isAfter(real.plus(Duration.ofDays(360)));
                }
                assertThat(CertificateReport.served(plane.urls().getFirst()).orElseThrow())
                    .isEqualTo(made("apiserver"));
                assertThat(Files.readString(plane.kubeconfig()))
                    .isNotEqualTo(Files.readString(oldFile));
              });
      assertThat(made("ca")).isNotEqualTo(authority);
      assertThat(made("ca").getPublicKey()).isEqualTo(authority.getPublicKey());

      assertThat(connected.namespaces().list().getItems()).isNotEmpty();
      assertWorks(oldFile);
      assertWorks(plane.kubeconfig());
      assertWorks(folder.resolve("controller-manager.kubeconfig"));
      var lease =
          connected.leases().inNamespace("kube-system").withName("muster-controller-manager");
      var renewed = lease.get().getSpec().getRenewTime();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(lease.get().getSpec().getRenewTime()).isAfter(renewed));
    }
  }
}
