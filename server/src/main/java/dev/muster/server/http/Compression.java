package dev.muster.server.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** gzip for large answers, as kube-apiserver does it: above 128 KiB, at the fastest level. */
final class Compression {
  private static final int THRESHOLD = 128 * 1024;
  private static final int CHUNK = 64 * 1024;
  private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 255};

  private Compression() {}

  static boolean wanted(HttpAnswer answer, HttpExchange exchange) {
    if (!answer.compressible() || answer.length() <= THRESHOLD) {
      return false;
    }
    for (var header : answer.headers()) {
      if (header.name().equals("content-encoding")) {
        return false;
      }
    }
    return exchange.headers("accept-encoding").stream().anyMatch(Compression::acceptsGzip);
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
    var headers = new ArrayList<>(answer.headers());
    headers.add(new HttpAnswer.Header("content-encoding", "gzip"));
    headers.add(new HttpAnswer.Header("vary", "Accept-Encoding"));
    return new HttpAnswer(answer.status(), headers, deflate(answer.body()), false);
  }

  private static List<byte[]> deflate(List<byte[]> body) {
    var out = new ArrayList<byte[]>();
    out.add(MAGIC);
    var crc = new CRC32();
    long length = 0;
    var deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      var chunk = new byte[CHUNK];
      int filled = 0;
      for (var piece : body) {
        crc.update(piece);
        length += piece.length;
        deflater.setInput(piece);
        while (!deflater.needsInput()) {
          filled += deflater.deflate(chunk, filled, CHUNK - filled);
          if (filled == CHUNK) {
            out.add(chunk);
            chunk = new byte[CHUNK];
            filled = 0;
          }
        }
      }
      deflater.finish();
      while (!deflater.finished()) {
        filled += deflater.deflate(chunk, filled, CHUNK - filled);
        if (filled == CHUNK) {
          out.add(chunk);
          chunk = new byte[CHUNK];
          filled = 0;
        }
      }
      out.add(Arrays.copyOf(chunk, filled));
    } finally {
      deflater.end();
    }
    out.add(trailer(crc.getValue(), length));
    return out;
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
