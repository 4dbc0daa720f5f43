package dev.muster.http.compression;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import dev.muster.http.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses large responses with gzip as kube-apiserver does: above 128 KiB, at the fastest level.
 */
public final class Compression {
  private static final Logger log = LoggerFactory.getLogger(Compression.class);

  public static final int THRESHOLD = 128 * 1024;

  private Compression() {}

  /** Whether a response of that many bytes is sent compressed. */
  public static boolean wanted(long length, HttpExchange exchange) {
    return length > THRESHOLD
        && exchange.headers("accept-encoding").stream().anyMatch(Compression::acceptsGzip);
  }

  public static boolean wanted(ServerResponse answer, HttpExchange exchange) {
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

  /**
   * The same response, compressed, or uncompressed if memory is short. It takes milliseconds per
   * megabyte: too long for event loops.
   */
  public static ServerResponse gzip(ServerResponse answer) {
    try {
      return compressed(answer);
    } catch (RuntimeException | OutOfMemoryError e) {
      log.error("could not compress an answer, sending it as it is", e);
      return answer;
    }
  }

  private static ServerResponse compressed(ServerResponse answer) {
    var head = head(answer);
    var body = new ArrayList<byte[]>();
    try (var gzip = new Gzip()) {
      answer.body().forEach(piece -> gzip.add(piece, 0, piece.length, body::add));
      gzip.finish(body::add);
    }
    return new ServerResponse(head.status(), head.headers(), body, false);
  }

  /** The head of a response whose body will be compressed. */
  public static ServerResponse head(ServerResponse plain) {
    var headers = new ArrayList<>(plain.headers());
    headers.add(new Header("content-encoding", "gzip"));
    headers.add(new Header("vary", "Accept-Encoding"));
    return new ServerResponse(plain.status(), headers, List.of(), false);
  }
}
