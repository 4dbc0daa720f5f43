package dev.muster.server;

import dev.muster.http.listen.HttpServer;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.replica.Replica;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.proxy.Network;
import dev.muster.server.routes.Neighbours;
import dev.muster.server.watch.WatchHub;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.encrypted.Encryption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running API server: one replica of the store's log, and the listeners in front of it. Several
 * servers in one process may share a store. Closing a server leaves the store open.
 */
public final class ApiServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
  private static final Duration GOODBYE = Duration.ofMillis(100);
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final ServerCore core;
  private final OutboundWiring outbound;
  private final Replica replica;
  private final Encryption encryption;
  private final WatchHub watches;
  private final HttpServer http;
  private final List<ServerExtension> extensions;

  ApiServer(
      ServerCore core,
      OutboundWiring outbound,
      Replica replica,
      Encryption encryption,
      WatchHub watches,
      HttpServer http,
      List<ServerExtension> extensions) {
    this.core = core;
    this.outbound = outbound;
    this.replica = replica;
    this.encryption = encryption;
    this.watches = watches;
    this.http = http;
    this.extensions = extensions;
  }

  /**
   * Starts a server and returns when it accepts connections; {@link #ready} tells when it is ready.
   *
   * @throws IOException when it cannot listen
   */
  public static ApiServer start(ApiServerOptions options, Store store) throws IOException {
    return start(options, store, List.of(), Clock.systemUTC());
  }

  /** Starts a server with extensions. They start in this order and leave in reverse order. */
  public static ApiServer start(
      ApiServerOptions options, Store store, List<ServerExtension> extensions, Clock clock)
      throws IOException {
    return start(options, store, extensions, clock, CustomTypes::new, Network.SYSTEM);
  }

  /**
   * Starts a server in an environment that a test chooses.
   *
   * @param definitions derive the served types from CustomResourceDefinitions, with webhooks for
   *     conversion
   * @param network connects to nodes, pods and services
   * @throws IOException when it cannot listen
   */
  public static ApiServer start(
      ApiServerOptions options,
      Store store,
      List<ServerExtension> extensions,
      Clock clock,
      Function<WebhookConversion, KeySpaceDefinitions> definitions,
      Network network)
      throws IOException {
    return new ApiServerWiring(options, store, extensions, clock, definitions, network).start();
  }

  /** The addresses on which it listens, with their actual ports. */
  public List<InetSocketAddress> addresses() {
    return http.addresses();
  }

  public boolean ready() {
    return core.health().ready();
  }

  /** The reason why a ready server cannot accept all writes; "" when there is none. */
  public String degradedReason() {
    return core.health().degradedReason();
  }

  /**
   * Completes, with the reason, when the store's history was replaced. From then on the server
   * answers 503 to every request about the cluster. Close the server and the store, open the store
   * again and start another server.
   */
  public CompletableFuture<StoreException.Replaced> replaced() {
    return replica.replaced();
  }

  public Replica replica() {
    return replica;
  }

  /**
   * The components that run in the same process, which the server reports in ComponentStatus and
   * metrics.
   */
  public Neighbours neighbours() {
    return core.neighbours();
  }

  /**
   * Stops the server in steps. It becomes unready and leaves the fleet, waits for the shutdown
   * delay, accepts no new connections, ends watches, completes running requests, and releases its
   * resources.
   */
  @Override
  public void close() {
    if (core.stopping().getAndSet(true)) {
      return;
    }
    for (var extension : extensions.reversed()) {
      try {
        extension.leave();
      } catch (RuntimeException | Error e) {
        LOG.warn("did not leave cleanly", e);
      }
    }
    pause(core.options().shutdown().delay());
    http.stopAccepting();
    http.goAway(GOODBYE);
    watches.finishAll();
    http.close(DRAIN);
    core.audit().close();
    outbound.close();
    watches.close();
    core.background().shutdownNow();
    core.threads().shutdown();
    core.scheduler().close();
    replica.close();
    encryption.close();
    LOG.info("stopped");
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
