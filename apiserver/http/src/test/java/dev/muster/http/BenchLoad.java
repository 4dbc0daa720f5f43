package dev.muster.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Run by hand against {@link BenchServer}: HTTP/2 over TLS; prints the server's CPU time for each
 * request, or for each delivery.
 *
 * <p>Arguments: port, process id of the server, {@code get} or {@code watch}, connections, streams
 * in all, warm-up seconds, seconds.
 */
final class BenchLoad {
  private static final LongAdder ANSWERS = new LongAdder();
  private static final LongAdder BYTES = new LongAdder();

  private BenchLoad() {}

  private static Http2Headers headers(String path) {
    return new DefaultHttp2Headers()
        .method("GET")
        .scheme("https")
        .authority("127.0.0.1:6443")
        .path(path)
        .add("accept", "application/json, */*")
        .add("user-agent", "bench/1.0 (linux/amd64)")
        .add("authorization", "Bearer " + "abcdefghijklmnopqrstuvwxyz".repeat(34));
  }

  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    var stat = Path.of("/proc/" + arguments[1] + "/stat");
    boolean watch = arguments[2].equals("watch");
    var request = headers("/" + arguments[2]);
    int connections = Integer.parseInt(arguments[3]);
    int streams = Integer.parseInt(arguments[4]);
    var tls =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.OPENSSL)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2"))
            .build();
    var group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    for (int i = 0; i < connections; i++) {
      int share = streams / connections + (i < streams % connections ? 1 : 0);
      connect(group, tls, port, share, request);
    }
    Thread.sleep(1000L * Integer.parseInt(arguments[5]));
    long answers = ANSWERS.sum();
    long bytes = BYTES.sum();
    long cpu = cpuMicros(stat);
    long loops = loopMicros(stat.resolveSibling("task"));
    long start = System.nanoTime();
    Thread.sleep(1000L * Integer.parseInt(arguments[6]));
    long spent = cpuMicros(stat) - cpu;
    long spentByLoops = loopMicros(stat.resolveSibling("task")) - loops;
    double seconds = (System.nanoTime() - start) / 1e9;
    double done = watch ? (BYTES.sum() - bytes) / 1024.0 : ANSWERS.sum() - answers;
    System.out.printf(
        Locale.ROOT,
        "%s: %.0f/s, %.2f µs of server CPU each (event loops %.2f), server at %.0f %%%n",
        arguments[2],
        done / seconds,
        spent / done,
        spentByLoops / done,
        spent / seconds / 10_000);
    System.exit(0);
  }

  /** Without compiler and collector threads, which a busy machine keeps at work for long. */
  private static long loopMicros(Path tasks) throws IOException {
    long sum = 0;
    try (var each = Files.list(tasks)) {
      for (var task : each.toList()) {
        if (Files.readString(task.resolve("comm")).startsWith("muster-http")) {
          sum += cpuMicros(task.resolve("stat"));
        }
      }
    }
    return sum;
  }

  private static long cpuMicros(Path stat) throws IOException {
    var text = Files.readString(stat);
    var fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000;
  }

  private static void connect(
      MultiThreadIoEventLoopGroup group,
      SslContext tls,
      int port,
      int streams,
      Http2Headers request)
      throws InterruptedException {
    new Bootstrap()
        .group(group)
        .channel(EpollSocketChannel.class)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                var client = new Client(streams, request);
                var handler =
                    new Http2ConnectionHandlerBuilder()
                        .server(false)
                        .initialSettings(
                            new Http2Settings().pushEnabled(false).initialWindowSize(4 << 20))
                        .frameListener(client)
                        .build();
                client.handler = handler;
                channel.pipeline().addLast(tls.newHandler(channel.alloc()), handler);
              }
            })
        .connect("127.0.0.1", port)
        .sync();
  }

  private static final class Client extends Http2FrameAdapter {
    private final int streams;
    private final Http2Headers request;
    private @Nullable Http2ConnectionHandler handler;
    private int nextId = 3;

    Client(int streams, Http2Headers request) {
      this.streams = streams;
      this.request = request;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
      if (nextId > 3) {
        return;
      }
      var handler = Objects.requireNonNull(this.handler);
      try {
        handler
            .decoder()
            .flowController()
            .incrementWindowSize(handler.connection().connectionStream(), 1 << 30);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      for (int i = 0; i < streams; i++) {
        request(ctx);
      }
      ctx.flush();
    }

    private void request(ChannelHandlerContext ctx) {
      Objects.requireNonNull(handler)
          .encoder()
          .writeHeaders(ctx, nextId, request, 0, true, ctx.newPromise());
      nextId += 2;
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean end) {
      BYTES.add(data.readableBytes());
      if (end) {
        ANSWERS.increment();
        request(ctx);
      }
      return data.readableBytes() + padding;
    }
  }
}
