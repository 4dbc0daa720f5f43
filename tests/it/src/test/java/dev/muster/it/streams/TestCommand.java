package dev.muster.it.streams;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.spdy.SpdyHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command in a container: {@code cat} says what it hears, {@code fail N} complains and ends with
 * that code, {@code size} says how large its terminal is, {@code tar} and {@code test} run on this
 * machine.
 */
final class TestCommand extends SpdyHandler {
  private static final String SUCCESS = "{\"metadata\":{},\"status\":\"Success\"}";

  private final List<String> command;
  private final int expected;
  private final Map<String, Integer> streams = new HashMap<>();
  private @Nullable ContainerProcess process;

  TestCommand(QueryStringDecoder query) {
    var parameters = query.parameters();
    command = parameters.getOrDefault("command", List.of("cat"));
    boolean tty = parameters.containsKey("tty");
    expected =
        1
            + (parameters.containsKey("input") ? 1 : 0)
            + (parameters.containsKey("output") ? 1 : 0)
            + (parameters.containsKey("error") && !tty ? 1 : 0)
            + (tty ? 1 : 0);
  }

  @Override
  void opened(ChannelHandlerContext ctx, int stream, SpdyHeaders headers) {
    streams.put(String.valueOf(headers.get("streamtype")), stream);
    if (streams.size() < expected) {
      return;
    }
    switch (command.getFirst()) {
      case "fail" -> {
        say(ctx, "stderr", "it went wrong\n");
        end(ctx, failure(Integer.parseInt(command.get(1))));
      }
      case "echo" -> {
        say(ctx, "stdout", String.join(" ", command.subList(1, command.size())) + "\n");
        end(ctx, SUCCESS);
      }
      case "tar", "test" ->
          process =
              new ContainerProcess(
                  command,
                  bytes -> ctx.executor().execute(() -> say(ctx, "stdout", bytes)),
                  bytes -> ctx.executor().execute(() -> say(ctx, "stderr", bytes)),
                  code ->
                      ctx.executor().execute(() -> end(ctx, code == 0 ? SUCCESS : failure(code))));
      default -> {
        // The others wait for what they hear.
      }
    }
  }

  @Override
  void said(ChannelHandlerContext ctx, int stream, byte[] bytes, boolean last) {
    if (isStream("resize", stream) && command.getFirst().equals("size")) {
      say(ctx, "stdout", new String(bytes, StandardCharsets.UTF_8));
      end(ctx, SUCCESS);
    } else if (isStream("stdin", stream) && process != null) {
      process.hear(bytes, last);
    } else if (isStream("stdin", stream) && command.getFirst().equals("cat")) {
      var output = streams.get("stdout");
      if (output != null && bytes.length > 0) {
        say(ctx, output, bytes, false);
      }
      if (last) {
        end(ctx, SUCCESS);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (process != null) {
      process.close();
    }
    ctx.fireChannelInactive();
  }

  private static String failure(int code) {
    return """
    {"metadata":{},"status":"Failure","reason":"NonZeroExitCode",
     "message":"command terminated with non-zero exit code",
     "details":{"causes":[{"reason":"ExitCode","message":"%d"}]}}
    """
        .formatted(code);
  }

  private boolean isStream(String type, int stream) {
    var known = streams.get(type);
    return known != null && known == stream;
  }

  private void say(ChannelHandlerContext ctx, String type, String text) {
    say(ctx, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private void say(ChannelHandlerContext ctx, String type, byte[] bytes) {
    var stream = streams.get(type);
    if (stream != null) {
      say(ctx, stream, bytes, false);
    }
  }

  private void end(ChannelHandlerContext ctx, String status) {
    for (var type : List.of("stdout", "stderr")) {
      var stream = streams.get(type);
      if (stream != null) {
        say(ctx, stream, new byte[0], true);
      }
    }
    var error = streams.get("error");
    if (error != null) {
      say(ctx, error, status.getBytes(StandardCharsets.UTF_8), true);
    }
  }
}
