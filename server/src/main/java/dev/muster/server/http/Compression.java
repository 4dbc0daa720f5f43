package dev.muster.server.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** gzip for large answers, as kube-apiserver does it: above 128 KiB, at the fastest level. */
final class Compression {
  static final int THRESHOLD = 128 * 1024;
  private static final int CHUNK = 64 * 1024;
  private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 255};

  private Compression() {}

  /** Whether an answer of that many bytes goes out compressed. */
  static boolean wanted(long length, HttpExchange exchange) {
    return length > THRESHOLD
        && exchange.headers("accept-encoding").stream().anyMatch(Compression::acceptsGzip);
  }

  static boolean wanted(HttpAnswer answer, HttpExchange exchange) {
    if (!answer.compressible()) {
      return false;
    }
    for (var header : answer.headers()) {
      if (header.name().equals("content-encoding")) {
        return false;
      }
    }
    return wanted(answer.length(), exchange);
  }

  static boolean acceptsGzip(String value) {
    for (var offer : value.split(",")) {
      int parameters = offer.indexOf(';');
      var name = (parameters < 0 ? offer : offer.substring(0, parameters)).strip();
      if (name.equalsIgnoreCase("gzip") || name.equals("*")) {
        var quality = parameters < 0 ? "" : offer.substring(parameters + 1).strip();
        return !quality.matches("q=0(\\.0*)?");
      }
    }
    return false;
  }

  /** The same answer, compressed. Takes milliseconds a megabyte: not for event loops. */
  static HttpAnswer gzip(HttpAnswer answer) {
    return gzip(answer, List.of(new Pieces(answer.body())).iterator());
  }

  /** An answer with that body, compressed while its parts are made. */
  static HttpAnswer gzip(HttpAnswer head, Iterator<Pieces> body) {
    var headers = new ArrayList<>(head.headers());
    headers.add(new HttpAnswer.Header("content-encoding", "gzip"));
    headers.add(new HttpAnswer.Header("vary", "Accept-Encoding"));
    return new HttpAnswer(head.status(), headers, new Gzip().whole(body), false);
  }

  /** One compressed body under way. */
  private static final class Gzip {
    private final List<byte[]> out = new ArrayList<>();
    private final CRC32 crc = new CRC32();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private byte[] chunk = new byte[CHUNK];
    private int filled;
    private long length;

    List<byte[]> whole(Iterator<Pieces> body) {
      out.add(MAGIC);
      try {
        while (body.hasNext()) {
          body.next().forEach(this::piece);
        }
        deflater.finish();
        while (!deflater.finished()) {
          deflate();
        }
        out.add(Arrays.copyOf(chunk, filled));
      } finally {
        deflater.end();
      }
      out.add(trailer(crc.getValue(), length));
      return out;
    }

    private void piece(byte[] array, int offset, int size) {
      crc.update(array, offset, size);
      length += size;
      deflater.setInput(array, offset, size);
      while (!deflater.needsInput()) {
        deflate();
      }
    }

    private void deflate() {
      filled += deflater.deflate(chunk, filled, CHUNK - filled);
      if (filled == CHUNK) {
        out.add(chunk);
        chunk = new byte[CHUNK];
        filled = 0;
      }
    }
  }

  private static byte[] trailer(long crc, long length) {
    var trailer = new byte[8];
    for (int i = 0; i < 4; i++) {
      trailer[i] = (byte) (crc >>> (8 * i));
      trailer[4 + i] = (byte) (length >>> (8 * i));
    }
    return trailer;
  }
}
