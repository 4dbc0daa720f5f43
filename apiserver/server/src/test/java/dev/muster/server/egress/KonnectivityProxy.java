package dev.muster.server.egress;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A real gRPC server with the service of konnectivity's proxy; its agent is this machine. */
final class KonnectivityProxy implements AutoCloseable {
  private static final AtomicLong CONNECTIONS = new AtomicLong(41);

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<byte[], byte[]> PROXY =
      MethodDescriptor.newBuilder(BYTES, BYTES)
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName("ProxyService/Proxy")
          .build();

  final List<String> asked = new CopyOnWriteArrayList<>();
  final List<ProxyPacket> goodbyes = new CopyOnWriteArrayList<>();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final Server server;
  volatile String error = "";

  KonnectivityProxy(Path socket) throws IOException {
    server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toString()))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .addService(
                ServerServiceDefinition.builder("ProxyService")
                    .addMethod(PROXY, (call, headers) -> new Tunnelled(call))
                    .build())
            .build()
            .start();
  }

  /** Called by gRPC, one call at a time: one stream. */
  private final class Tunnelled extends ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;
    private final long connection = CONNECTIONS.incrementAndGet();
    private @Nullable Socket target;

    Tunnelled(ServerCall<byte[], byte[]> call) {
      this.call = call;
      call.sendHeaders(new Metadata());
      call.request(1);
    }

    private synchronized void send(ProxyPacket packet) {
      call.sendMessage(packet.encoded());
    }

    @Override
    public void onMessage(byte[] message) {
      try {
        switch (ProxyPacket.decoded(message)) {
          case ProxyPacket.DialRequest dial -> dial(dial);
          case ProxyPacket.Data data -> {
            if (target != null && data.connection() == connection) {
              target.getOutputStream().write(data.bytes());
            }
          }
          case ProxyPacket.CloseRequest close -> {
            goodbyes.add(close);
            if (target != null) {
              target.close();
            }
            send(new ProxyPacket.CloseResponse("", connection));
          }
          case ProxyPacket.CloseDial close -> goodbyes.add(close);
          case ProxyPacket.DialResponse _, ProxyPacket.CloseResponse _, ProxyPacket.Other _ -> {}
        }
      } catch (IOException e) {
        send(new ProxyPacket.CloseResponse(String.valueOf(e.getMessage()), connection));
      }
      call.request(1);
    }

    @Override
    public void onCancel() {
      try {
        if (target != null) {
          target.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void dial(ProxyPacket.DialRequest dial) throws IOException {
      asked.add(dial.address());
      if (error.equals("silence")) {
        return;
      }
      if (!error.isEmpty()) {
        send(new ProxyPacket.DialResponse(error, 0, dial.random()));
        return;
      }
      int colon = dial.address().lastIndexOf(':');
      target =
          new Socket(
              InetAddress.ofLiteral(dial.address().substring(0, colon)),
              Integer.parseInt(dial.address().substring(colon + 1)));
      send(new ProxyPacket.DialResponse("", connection, dial.random()));
      var from = target;
      Thread.ofVirtual().start(() -> back(from));
    }

    private void back(Socket from) {
      var buffer = new byte[8192];
      try {
        for (int read = from.getInputStream().read(buffer);
            read >= 0;
            read = from.getInputStream().read(buffer)) {
          send(new ProxyPacket.Data(connection, Arrays.copyOf(buffer, read)));
        }
        send(new ProxyPacket.CloseResponse("", connection));
      } catch (IOException | RuntimeException _) {
        // The client has gone.
      }
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
