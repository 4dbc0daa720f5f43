package dev.muster.cli;

import dev.muster.cel.ExpressionChecker;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.cli.identity.ClusterIdentityExtension;
import dev.muster.cli.identity.ClusterIdentityFlags;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.model.FileProblems;
import dev.muster.model.address.Ip;
import dev.muster.server.ApiServer;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts API servers and waits for them, with error messages for users. */
final class Servers {
  private static final Logger log = LoggerFactory.getLogger(Servers.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private Servers() {}

  /**
   * @throws CommandFailure when it cannot start, naming the address if that is the reason
   */
  static ApiServer start(
      ApiServerOptions options,
      FleetOptions fleet,
      ClusterIdentityFlags identity,
      Store store,
      Clock clock) {
    var extensions = new ArrayList<>(Fleet.extensions(fleet));
    extensions.add(new ClusterIdentityExtension(identity.rules(), Logs::identify));
    try {
      var server = ApiServer.start(options, store, extensions, clock);
      CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS, Servers::aside)
          .execute(ExpressionChecker::rehearse);
      return server;
    } catch (IOException e) {
      throw new CommandFailure(FileProblems.text(e), e);
    } catch (UncheckedIOException e) {
      throw new CommandFailure(FileProblems.text(e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  /** Runs work in the background that few requests need and none should wait for. */
  private static void aside(Runnable work) {
    Thread.ofPlatform().name("rehearsal").daemon().start(work);
  }

  /**
   * Waits until all servers are ready, have to be started again, or the process is told to stop. A
   * server whose store is full keeps running although it may never be ready, because it must accept
   * the deletes that make room.
   *
   * @throws CommandFailure after the timeout
   */
  static void awaitReady(List<ApiServer> servers, Duration timeout) throws InterruptedException {
    long endsAt = System.nanoTime() + timeout.toNanos();
    while (!StopSignal.requested()
        && !isReplaced(servers)
        && !servers.stream().allMatch(ApiServer::ready)) {
      if (System.nanoTime() - endsAt > 0) {
        var trouble = servers.getFirst().degradedReason();
        if (!trouble.isEmpty()) {
          log.warn("not ready: {}", trouble);
          return;
        }
        throw new CommandFailure(
            "not ready after "
                + timeout.toSeconds()
                + " s: "
                + reason(servers)
                + " (longer waits: --storage-initialization-timeout)");
      }
      Thread.sleep(5);
    }
  }

  /**
   * Waits until the process is told to stop, or until a server finds that the store's history was
   * replaced; then all servers and the store have to be started again.
   *
   * @return whether they have to be
   */
  static boolean awaitReplacement(List<ApiServer> servers) throws InterruptedException {
    while (!StopSignal.await(LOOK_EVERY)) {
      if (isReplaced(servers)) {
        log.warn("starting anew, because the store's history was replaced");
        return true;
      }
    }
    return false;
  }

  private static boolean isReplaced(List<ApiServer> servers) {
    return servers.stream().anyMatch(server -> server.replaced().isDone());
  }

  /** Why the first unready server is not ready. */
  private static String reason(List<ApiServer> servers) {
    for (var server : servers) {
      var replica = server.replica().health();
      if (replica.revision() == 0) {
        return "the store does not answer";
      }
      if (!replica.trouble().isEmpty()) {
        return "the store does not answer: " + replica.trouble();
      }
    }
    return "what every cluster has from its first start on could not be made";
  }

  static String text(List<InetSocketAddress> addresses) {
    return addresses.stream()
        .map(address -> Ip.of(address.getAddress()).host() + ":" + address.getPort())
        .collect(Collectors.joining(", "));
  }
}
