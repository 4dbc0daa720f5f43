package dev.muster.cli;

import dev.muster.cli.command.CommandFailure;
import dev.muster.server.egress.Egress;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.store.etcd.EtcdConnector;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connects to etcd through the proxy of an egress selector, if one is configured. */
final class EtcdEgress {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private EtcdEgress() {}

  /**
   * @param file with the egress selectors; null for none
   * @throws CommandFailure when it cannot be used
   */
  static Optional<EtcdConnector> of(@Nullable Path file) {
    Egress egress;
    try {
      egress = new EgressSelector(EgressConfiguration.read(file)).of(EgressType.ETCD);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
    if (egress.isDirect()) {
      return Optional.empty();
    }
    var loops =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("muster-etcd-egress", true),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    return Optional.of(
        new EtcdConnector(
            () -> {
              var channel = egress.channel();
              egress.prepare(channel, PATIENCE);
              return channel;
            },
            loops));
  }
}
