package dev.muster.server.proxy;

import dev.muster.registry.connect.Destination;
import dev.muster.server.egress.Egress;
import dev.muster.server.options.NodeOptions;

/** Connects to kubelets, pods and Services. Thread-safe. */
public final class Backends implements AutoCloseable {
  private final BackendTls tls;
  private final Dialer dialer;
  private final ProxyTimeouts timeouts;

  /**
   * @throws IllegalArgumentException when a file that the options name cannot be used
   */
  public Backends(NodeOptions options, Network network, Egress egress, ProxyTimeouts timeouts) {
    this.tls = new BackendTls(options);
    this.dialer = new Dialer("backends", network, egress);
    this.timeouts = timeouts;
  }

  /**
   * Resolves the host of a destination; blocks.
   *
   * @throws BackendException when the host does not exist
   */
  public Target resolve(Destination destination) throws BackendException {
    return new Target(destination, dialer.lookup(destination.host(), timeouts.connect()));
  }

  /** A call that is not connected yet. */
  public BackendCall call(Target target) {
    var backend = target.destination().backend();
    return new BackendCall(target, dialer, () -> tls.of(backend), timeouts);
  }

  /** Closes all connections. */
  @Override
  public void close() {
    dialer.close();
  }
}
