package dev.muster.server.http;

import java.util.ArrayList;
import java.util.List;

/** gzip for large answers, as kube-apiserver does it: above 128 KiB, at the fastest level. */
final class Compression {
  static final int THRESHOLD = 128 * 1024;

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
    var head = head(answer);
    var body = new ArrayList<byte[]>();
    try (var gzip = new Gzip()) {
      answer.body().forEach(piece -> gzip.add(piece, 0, piece.length, body::add));
      gzip.finish(body::add);
    }
    return new HttpAnswer(head.status(), head.headers(), body, false);
  }

  /** The head of an answer whose body will be compressed. */
  static HttpAnswer head(HttpAnswer plain) {
    var headers = new ArrayList<>(plain.headers());
    headers.add(new HttpAnswer.Header("content-encoding", "gzip"));
    headers.add(new HttpAnswer.Header("vary", "Accept-Encoding"));
    return new HttpAnswer(plain.status(), headers, List.of(), false);
  }
}
