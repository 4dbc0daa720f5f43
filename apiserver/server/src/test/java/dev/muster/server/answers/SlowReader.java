package dev.muster.server.answers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/** An HTTP/1.1 client that asks for something and reads the answer only when it is told to. */
final class SlowReader implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final StringBuilder rest = new StringBuilder();
  private boolean begun;

  SlowReader(SSLContext tls, int port, String path, String accept, String acceptEncoding)
      throws IOException {
    var plain = new Socket();
    plain.setReceiveBufferSize(4096);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket = tls.getSocketFactory().createSocket(plain, "localhost", port, true);
    socket.setSoTimeout(120_000);
    socket
        .getOutputStream()
        .write(
            """
            GET %s HTTP/1.1\r
            host: x\r
            authorization: Bearer %s\r
            accept: %s\r
            accept-encoding: %s\r
            \r
            """
                .formatted(path, RunningServer.TOKEN, accept, acceptEncoding)
                .getBytes(StandardCharsets.US_ASCII));
    in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
  }

  /** The whole body of an answer that is sent in chunks. */
  byte[] read() throws IOException {
    var status = line();
    if (!status.contains(" 200 ")) {
      throw new IOException(status);
    }
    for (var header = line(); !header.isEmpty(); header = line()) {
      // None of them matters here.
    }
    var whole = new ByteArrayOutputStream();
    for (int length = chunk(); length > 0; length = chunk()) {
      var bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException("cut off after " + whole.size() + " bytes");
      }
      whole.writeBytes(bytes);
      line();
    }
    return whole.toByteArray();
  }

  /** So many lines of a body that goes on. */
  List<String> lines(int count) throws IOException {
    if (!begun) {
      begun = true;
      while (!line().isEmpty()) {
        // None of the headers matters here.
      }
    }
    var lines = new ArrayList<String>();
    while (lines.size() < count) {
      int end = rest.indexOf("\n");
      if (end >= 0) {
        lines.add(rest.substring(0, end));
        rest.delete(0, end + 1);
      } else {
        rest.append(new String(in.readNBytes(chunk()), StandardCharsets.UTF_8));
        line();
      }
    }
    return lines;
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("closed after: " + line);
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
