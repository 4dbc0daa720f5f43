package dev.muster.server.chain;

import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import dev.muster.http.HttpHandler;
import dev.muster.http.ServerResponse;
import dev.muster.server.options.BrowserOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Adds the CORS and HSTS headers to every response, and ends connections by {@code
 * --goaway-chance}. It runs before the request chain. Thread-safe.
 */
public final class TransportPolicy implements HttpHandler {
  private static final List<Header> CROSS_ORIGIN =
      List.of(
          new Header("access-control-allow-methods", "POST, GET, OPTIONS, PUT, DELETE, PATCH"),
          new Header(
              "access-control-allow-headers",
              "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization,"
                  + " X-Requested-With, If-Modified-Since"),
          new Header("access-control-expose-headers", "Date"),
          new Header("access-control-allow-credentials", "true"));

  private final List<Pattern> origins;
  private final List<Header> always;
  private final double goAwayChance;
  private final RandomGenerator random;
  private final HttpHandler next;

  /**
   * @param next handles every request that is not answered yet
   */
  public TransportPolicy(BrowserOptions options, RandomGenerator random, HttpHandler next) {
    this.origins = options.allowedOrigins().stream().map(Pattern::compile).toList();
    var directives = options.transportSecurity();
    this.always =
        directives.isEmpty()
            ? List.of()
            : List.of(
                new Header(
                    "strict-transport-security",
                    directives.stream().collect(Collectors.joining("; "))));
    this.goAwayChance = options.goAwayChance();
    this.random = random;
    this.next = next;
  }

  @Override
  public void handle(HttpExchange exchange) {
    if (goesOn(exchange)) {
      next.handle(exchange);
    }
  }

  /** Whether the request continues to the next handler; otherwise it is answered. */
  private boolean goesOn(HttpExchange exchange) {
    if (goAwayChance > 0 && random.nextDouble() < goAwayChance) {
      exchange.endConnection();
    }
    var origin = origins.isEmpty() ? null : exchange.header("origin");
    if (origin == null || origins.stream().noneMatch(each -> each.matcher(origin).find())) {
      if (!always.isEmpty()) {
        exchange.addToAnswer(always);
      }
      return true;
    }
    var headers = new ArrayList<>(always);
    headers.add(new Header("access-control-allow-origin", origin));
    headers.addAll(CROSS_ORIGIN);
    exchange.addToAnswer(headers);
    if (exchange.method().equals("OPTIONS")) {
      exchange.respond(new ServerResponse(204, List.of(), List.of(), false));
      return false;
    }
    return true;
  }
}
