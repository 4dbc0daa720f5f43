package dev.muster.server.nodes;

import dev.muster.model.status.ApiException;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.request.Request;
import dev.muster.wire.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Translates between the WebSocket of a client that runs a command and the kubelet's streams. Each
 * WebSocket message begins with its channel number; the kubelet has one stream per channel. The
 * client is connected first and receives the result of the command on a channel of its own.
 */
final class CommandChannels {
  private static final String PROTOCOL = "v5.channel.k8s.io";
  private static final byte INPUT = 0;
  private static final byte OUTPUT = 1;
  private static final byte ERRORS = 2;
  private static final byte RESULT = 3;
  private static final byte RESIZE = 4;

  /** Announces that the channel whose number follows has ended. */
  private static final byte CLOSED = (byte) 255;

  /** More than any Status; a longer result is cut off. */
  private static final int LONGEST_RESULT = 1 << 20;

  private final Request request;
  private final ClientSocket socket;

  /** Connects the client. */
  CommandChannels(Request request, Runnable closed) {
    this.request = request;
    this.socket = ClientSocket.open(request, closed);
    socket.write(new byte[] {first()});
  }

  static boolean wanted(Request request) {
    return request.exchange().wantsWebSocket()
        && request.header("sec-websocket-protocol").strip().equals(PROTOCOL);
  }

  /** An empty message on the first channel of the client tells it that it is connected. */
  private byte first() {
    return has("stdout") ? OUTPUT : has("stderr") ? ERRORS : RESULT;
  }

  private boolean has(String stream) {
    return request.query().isTrue(stream);
  }

  /** Tells the client why no command ran. */
  void refuse(String problem) {
    socket.write(message(RESULT, status(problem)));
    socket.close();
  }

  private static byte[] status(String problem) {
    return JsonWriter.bytes(
        StatusBody.of(ApiException.internal(problem)).without("kind").without("apiVersion"));
  }

  private static byte[] message(byte channel, byte[] content) {
    var message = new byte[content.length + 1];
    message[0] = channel;
    System.arraycopy(content, 0, message, 1, content.length);
    return message;
  }

  /**
   * Opens the kubelet's streams in the order that it expects. Returns the channel of each stream
   * number.
   */
  Map<Integer, Byte> open(SpdyStreams kubelet) throws BackendException {
    var channels = new HashMap<Integer, Byte>();
    channels.put(kubelet.open("error"), RESULT);
    if (has("stdin")) {
      channels.put(kubelet.open("stdin"), INPUT);
    }
    if (has("stdout")) {
      channels.put(kubelet.open("stdout"), OUTPUT);
    }
    if (has("stderr") && !has("tty")) {
      channels.put(kubelet.open("stderr"), ERRORS);
    }
    if (has("tty")) {
      channels.put(kubelet.open("resize"), RESIZE);
    }
    return channels;
  }

  /** Sends the client's messages to the kubelet until they end. */
  void send(SpdyStreams kubelet, Map<Integer, Byte> channels) throws BackendException {
    var streams = new HashMap<Byte, Integer>();
    channels.forEach((stream, channel) -> streams.put(channel, stream));
    for (var message = socket.read(); message != null; message = socket.read()) {
      boolean closes = message.length > 1 && message[0] == CLOSED;
      byte channel = message[closes ? 1 : 0];
      var stream = channel == INPUT || channel == RESIZE ? streams.get(channel) : null;
      if (stream != null) {
        kubelet.write(stream, message, closes ? message.length : 1, closes);
      }
    }
  }

  /** Sends the kubelet's output to the client until the command has ended. */
  void receive(SpdyStreams kubelet, Map<Integer, Byte> channels) throws BackendException {
    var result = new ByteArrayOutputStream();
    Set<Byte> open = new HashSet<>(channels.values());
    open.removeAll(Set.of(INPUT, RESIZE));
    while (!open.isEmpty()) {
      var arrived = kubelet.read();
      if (arrived == null) {
        break;
      }
      var channel = channels.get(arrived.stream());
      if (channel == null) {
        continue;
      }
      if (channel == RESULT) {
        result.writeBytes(arrived.bytes());
        if (result.size() > LONGEST_RESULT) {
          throw new BackendException("the result of the command is too long");
        }
      } else if (arrived.bytes().length > 0 && !socket.write(message(channel, arrived.bytes()))) {
        return;
      }
      if (arrived.last()) {
        open.remove(channel);
      }
    }
    socket.write(
        message(
            RESULT,
            result.size() == 0 && open.contains(RESULT)
                ? status("error reading from error stream: EOF")
                : result.toByteArray()));
    socket.close();
  }
}
