package dev.muster.it.streams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * What of a kubelet commands, ports and logs need: HTTPS that becomes SPDY, as kubelets speak it.
 * The containers "broken", "elsewhere" and "garbled" are answered with a refusal, a redirect, and
 * what is no SPDY.
 */
final class TestKubelet implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Channel listening;

  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  /** Where it sends whoever asks for the container "elsewhere". */
  volatile String elsewhere = "https://127.0.0.1:1/";

  /** The paths and queries that it was asked for. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  TestKubelet() throws Exception {
    var tls = tls();
    listening =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    open.add(channel);
                    channel
                        .pipeline()
                        .addLast(
                            tls.newHandler(channel.alloc()),
                            new HttpServerCodec(),
                            new HttpObjectAggregator(1 << 16),
                            new Requests());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  private static SslContext tls() throws Exception {
    var identity =
        Authority.create("kubelet-ca", Instant.now(), Duration.ofDays(1))
            .server(
                "kubelet",
                CertificateNames.of(List.of(), List.of(InetAddress.ofLiteral("127.0.0.1"))),
                Instant.now(),
                Duration.ofDays(1));
    return SslContextBuilder.forServer(
            identity.key(), identity.chain().toArray(X509Certificate[]::new))
        .build();
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** How many connections there are to it. */
  int connections() {
    return open.size();
  }

  /** Cuts everybody off. */
  void hangUp() {
    open.close().awaitUninterruptibly();
  }

  /** Ends all answers that go on, as a log does when its container ends. */
  void endLogs() {
    open.forEach(channel -> channel.pipeline().fireUserEventTriggered(LastHttpContent.class));
  }

  private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      asked.add(request.uri());
      if (request.uri().contains("elsewhere")) {
        refuse(ctx, HttpResponseStatus.FOUND, "");
        return;
      }
      if (request.uri().startsWith("/containerLogs/")) {
        log(ctx);
        return;
      }
      var offered = request.headers().getAll("X-Stream-Protocol-Version");
      if (!"SPDY/3.1".equals(request.headers().get("Upgrade"))
          || request.uri().contains("broken")) {
        refuse(ctx, HttpResponseStatus.BAD_REQUEST, "the kubelet refuses this");
        return;
      }
      var agreed =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
      agreed.headers().set("Connection", "Upgrade").set("Upgrade", "SPDY/3.1");
      agreed
          .headers()
          .set(
              "X-Stream-Protocol-Version",
              offered.stream().filter(name -> !name.startsWith("v5")).findFirst().orElse(""));
      var query = new QueryStringDecoder(request.uri());
      ctx.writeAndFlush(agreed)
          .addListener(
              written -> {
                var pipeline = ctx.pipeline();
                pipeline.addLast(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
                pipeline.addLast(
                    query.path().startsWith("/portForward/")
                        ? new TestPorts()
                        : new TestCommand(query));
                pipeline.remove(this);
                pipeline.remove(HttpObjectAggregator.class);
                pipeline.remove(HttpServerCodec.class);
                if (query.path().contains("garbled")) {
                  var noSpdy = Unpooled.copiedBuffer("\u0080\u0009".repeat(20), ISO_8859_1);
                  pipeline.context(SpdyFrameCodec.class).writeAndFlush(noSpdy);
                }
              });
    }

    private void refuse(ChannelHandlerContext ctx, HttpResponseStatus status, String why) {
      var refusal =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(why, StandardCharsets.UTF_8));
      refusal.headers().set("Content-Length", refusal.content().readableBytes());
      refusal.headers().set("Location", elsewhere);
      ctx.writeAndFlush(refusal).addListener(ChannelFutureListener.CLOSE);
    }

    /** A log that goes on until its container ends. */
    private static void log(ChannelHandlerContext ctx) {
      var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      HttpUtil.setTransferEncodingChunked(head, true);
      ctx.write(head);
      ctx.writeAndFlush(
          new DefaultHttpContent(Unpooled.copiedBuffer("a line\n", StandardCharsets.UTF_8)));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == LastHttpContent.class) {
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
            .addListener(ChannelFutureListener.CLOSE);
      } else {
        ctx.fireUserEventTriggered(event);
      }
    }
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
