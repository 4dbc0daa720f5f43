package dev.muster.fleet.identity;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestClock;
import dev.muster.model.identity.IdentityLease;
import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServingOptions;
import dev.muster.store.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose clock is moved, as tests of users do it. */
class MovedClockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Nobody waits that long for a renewal here. */
  private static final IdentityOptions SELDOM =
      new IdentityOptions("kube-apiserver-lease", 300, 3600);

  private static @Nullable Instant renewed(ApiServer server, ServerIdentity identity) {
    var lease =
        server
            .replica()
            .current()
            .collection(OwnLease.STORAGE)
            .get(SELDOM.namespace(), identity.id().leaseName());
    return lease == null ? null : IdentityLease.read(lease.tree()).renewed();
  }

  @Test
  void aLeaseIsRenewedWhenTheClockHasMovedOnHoweverLittleTimeThatTook(@TempDir Path folder)
      throws IOException {
    var clock = TestClock.create();
    var identity = ServerIdentity.create();
    var extension = new IdentityExtension(SELDOM, identity, id -> {}, () -> "", () -> "");
    var defaults = ApiServerOptions.defaults();
    var options =
        defaults.with(
            new ListenOptions(
                List.of(InetAddress.getLoopbackAddress()),
                0,
                List.of(InetAddress.ofLiteral("192.0.2.1")),
                null,
                250),
            new ServingOptions(
                null, null, folder.resolve("pki"), defaults.tls().minimumVersion(), List.of()));
    try (var store = new MemoryStore(clock);
        var server = ApiServer.start(options, store, List.of(extension), clock)) {
      await().atMost(PATIENCE).until(() -> clock.instant().equals(renewed(server, identity)));
      clock.advance(Duration.ofHours(2));
      await().atMost(PATIENCE).until(() -> clock.instant().equals(renewed(server, identity)));
    }
  }
}
