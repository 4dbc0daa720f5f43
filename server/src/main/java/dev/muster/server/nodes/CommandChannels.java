package dev.muster.server.nodes;

import dev.muster.model.status.ApiException;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.request.Request;
import dev.muster.wire.JsonWriter;
import java.util.List;

/**
 * The channels of a command that a client wants to run over a WebSocket: each message begins with
 * the number of its channel. Such a client is connected first, and hears then how the command
 * ended, on a channel of its own.
 */
final class CommandChannels {
  private static final String PROTOCOL = "v5.channel.k8s.io";
  private static final byte OUTPUT = 1;
  private static final byte ERRORS = 2;
  private static final byte RESULT = 3;

  private CommandChannels() {}

  static boolean wanted(Request request) {
    return request.exchange().wantsWebSocket()
        && request.header("sec-websocket-protocol").strip().equals(PROTOCOL);
  }

  /** Connects the client and tells it that nothing ran, and why. */
  static void refuse(Request request, String problem) {
    var status =
        JsonWriter.bytes(
            StatusBody.of(ApiException.internal(problem)).without("kind").without("apiVersion"));
    var result = new byte[status.length + 1];
    result[0] = RESULT;
    System.arraycopy(status, 0, result, 1, status.length);
    var exchange = request.exchange();
    exchange
        .eventLoop()
        .execute(
            () -> {
              request.observed(101);
              var stream = exchange.webSocket(List.of(), false);
              stream.write(new byte[] {first(request)});
              stream.write(result);
              stream.finish();
            });
  }

  /** An empty message on the first channel that the client listens to says that it is connected. */
  private static byte first(Request request) {
    return request.query().isTrue("stdout")
        ? OUTPUT
        : request.query().isTrue("stderr") ? ERRORS : RESULT;
  }
}
