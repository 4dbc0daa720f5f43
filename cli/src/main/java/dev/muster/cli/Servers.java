package dev.muster.cli;

import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.model.Addresses;
import dev.muster.server.ApiServer;
import dev.muster.server.ApiServerOptions;
import dev.muster.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Starting API servers, with failures in words for a user. */
final class Servers {
  private Servers() {}

  /**
   * @throws CommandFailure when it cannot start, naming the address if that is why
   */
  static ApiServer start(ApiServerOptions options, FleetOptions fleet, Store store) {
    try {
      return ApiServer.start(options, store, Fleet.extensions(fleet), Clock.systemUTC());
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Waits until all are ready or a stop is asked for.
   *
   * @throws CommandFailure when that takes too long
   */
  static void awaitReady(List<ApiServer> servers, Duration timeout) throws InterruptedException {
    long endsAt = System.nanoTime() + timeout.toNanos();
    while (!StopSignal.requested() && !servers.stream().allMatch(ApiServer::ready)) {
      if (System.nanoTime() - endsAt > 0) {
        throw new CommandFailure(
            "not ready after "
                + timeout.toSeconds()
                + " s: the store does not answer (longer waits: --storage-initialization-timeout)");
      }
      Thread.sleep(5);
    }
  }

  static String text(List<InetSocketAddress> addresses) {
    return addresses.stream()
        .map(address -> Addresses.host(address.getAddress()) + ":" + address.getPort())
        .collect(Collectors.joining(", "));
  }
}
