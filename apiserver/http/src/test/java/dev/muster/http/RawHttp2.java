package dev.muster.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;

/** An HTTP/2 client that sends whatever frames a test wants, and remembers what comes back. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final long ENHANCE_YOUR_CALM = 11;

  /** A frame that the server sent. */
  record Frame(int type, int flags, int stream, byte[] payload) {
    long code(int at) {
      return ((payload[at] & 0xffL) << 24)
          | ((payload[at + 1] & 0xffL) << 16)
          | ((payload[at + 2] & 0xffL) << 8)
          | (payload[at + 3] & 0xffL);
    }
  }

  final List<Frame> frames = new CopyOnWriteArrayList<>();
  volatile boolean closed;
  private final SSLSocket socket;
  private final OutputStream out;
  private int uploaded;

  RawHttp2(int port) throws IOException {
    this(port, true);
  }

  /** {@code reads} false for a client that never looks at what it gets. */
  RawHttp2(int port, boolean reads) throws IOException {
    socket = RawTls.connect(port, "h2");
    out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
    if (reads) {
      Thread.ofVirtual().start(this::read);
    }
  }

  private void read() {
    try {
      var in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        frames.add(new Frame(type, flags, stream, in.readNBytes(length)));
      }
    } catch (IOException e) {
      closed = true;
    }
  }

  static byte[] encode(int type, int flags, int stream, byte[] payload) {
    var frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    putInt(frame, 5, stream);
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  private static void putInt(byte[] into, int at, int value) {
    into[at] = (byte) (value >> 24);
    into[at + 1] = (byte) (value >> 16);
    into[at + 2] = (byte) (value >> 8);
    into[at + 3] = (byte) value;
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.write(encode(type, flags, stream, payload));
  }

  void raw(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  static byte[] number(int value) {
    var bytes = new byte[4];
    putInt(bytes, 0, value);
    return bytes;
  }

  /** A header block for that request, all literal. */
  static byte[] block(String method, String path, String... more) {
    var block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "https");
    literal(block, ":authority", "localhost");
    literal(block, ":path", path);
    for (int i = 0; i < more.length; i += 2) {
      literal(block, more[i], more[i + 1]);
    }
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    string(block, name);
    string(block, value);
  }

  private static void string(ByteArrayOutputStream block, String text) {
    int length = text.length();
    if (length < 127) {
      block.write(length);
    } else {
      block.write(127);
      int left = length - 127;
      while (left >= 128) {
        block.write(128 | (left & 127));
        left >>= 7;
      }
      block.write(left);
    }
    block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  void get(int stream, String path) throws IOException {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, block("GET", path));
  }

  boolean wentAwayWith(long error) {
    return frames.stream().anyMatch(frame -> frame.type() == GOAWAY && frame.code(4) == error);
  }

  /** Sends a body of that length as fast as the server takes it, and never the end of it. */
  void upload(int stream, int bytes, String... headers) throws IOException {
    frame(HEADERS, END_HEADERS, stream, block("POST", "/", headers));
    for (int sent = 0; sent < bytes; ) {
      int some = Math.min(16_384, bytes - sent);
      int needed = sent + some;
      int all = uploaded + some;
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> (window(stream) >= needed && window(0) >= all) || ended(stream));
      if (ended(stream)) {
        return;
      }
      frame(DATA, 0, stream, new byte[some]);
      sent += some;
      uploaded += some;
    }
  }

  /** How many bytes the server has said it takes so far. */
  long window(int stream) {
    return 65_535
        + frames.stream()
            .filter(frame -> frame.type() == WINDOW_UPDATE && frame.stream() == stream)
            .mapToLong(frame -> frame.code(0))
            .sum();
  }

  boolean wasReset(int stream, long error) {
    return frames.stream()
        .anyMatch(
            frame ->
                frame.type() == RST_STREAM && frame.stream() == stream && frame.code(0) == error);
  }

  boolean ended(int stream) {
    return frames.stream()
        .anyMatch(
            frame ->
                frame.stream() == stream
                    && (frame.type() == DATA || frame.type() == HEADERS)
                    && (frame.flags() & END_STREAM) != 0);
  }

  boolean headed(int stream) {
    return frames.stream().anyMatch(f -> f.stream() == stream && f.type() == HEADERS);
  }

  byte[] data(int stream) {
    var data = new ByteArrayOutputStream();
    for (var frame : frames) {
      if (frame.type() == DATA && frame.stream() == stream) {
        data.writeBytes(frame.payload());
      }
    }
    return data.toByteArray();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
