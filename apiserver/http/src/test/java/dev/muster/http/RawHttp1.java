package dev.muster.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 client that sends whatever text a test wants. */
public final class RawHttp1 implements AutoCloseable {
  /** One answer, with its body if it has a content-length. */
  public record Answer(String statusLine, List<String> headers, String body) {
    public int status() {
      return Integer.parseInt(statusLine.split(" ")[1]);
    }

    public @Nullable String header(String name) {
      for (var header : headers) {
        if (header.toLowerCase(Locale.ROOT).startsWith(name + ": ")) {
          return header.substring(name.length() + 2);
        }
      }
      return null;
    }
  }

  private final SSLSocket socket;
  private final InputStream in;

  RawHttp1(int port) throws IOException {
    this(port, 0);
  }

  RawHttp1(int port, int receiveBuffer) throws IOException {
    this(RawTls.connect(port, "http/1.1", receiveBuffer));
  }

  public RawHttp1(SSLSocket socket) throws IOException {
    this.socket = socket;
    in = socket.getInputStream();
  }

  public RawHttp1 send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  RawHttp1 get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nhost: x\r\n\r\n");
  }

  public Answer answer() throws IOException {
    var status = line();
    var headers = new ArrayList<String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      headers.add(line);
    }
    var head = new Answer(status, headers, "");
    var length = head.header("content-length");
    if (length == null) {
      return head;
    }
    var body = in.readNBytes(Integer.parseInt(length));
    return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  public String line() throws IOException {
    var line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("closed after: " + line);
      }
      if (next == '\n') {
        return line.toString().stripTrailing();
      }
      line.append((char) next);
    }
  }

  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /** Whether the server closes the connection, properly or not, before it sends anything. */
  public boolean closes() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
