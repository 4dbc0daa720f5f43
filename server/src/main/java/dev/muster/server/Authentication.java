package dev.muster.server;

import dev.muster.access.Bearer;
import dev.muster.access.Credentials;
import dev.muster.access.RequestAuthenticator;
import dev.muster.access.RequestAuthenticator.Known;
import dev.muster.access.RequestAuthenticator.Verdict;
import dev.muster.server.http.HttpExchange;

/**
 * Finds out who sends a request. What a connection's certificate says is found out once for the
 * connection; tokens are looked at each time.
 */
final class Authentication {
  private static final String BEARER = "Bearer ";

  private final RequestAuthenticator authenticator;

  Authentication(RequestAuthenticator authenticator) {
    this.authenticator = authenticator;
  }

  Verdict judge(HttpExchange exchange) {
    var authorization = exchange.header("authorization");
    if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      var bearer = bearer(exchange, authorization.substring(BEARER.length()).strip());
      return authenticator.judge(new Credentials(bearer, exchange.clientCertificates()));
    }
    if ("websocket".equalsIgnoreCase(exchange.header("upgrade"))) {
      var token = Credentials.bearerOfWebSocket(exchange.headers("sec-websocket-protocol"));
      if (token != null) {
        return authenticator.judge(
            new Credentials(new Bearer(token), exchange.clientCertificates()));
      }
    }
    if (exchange.clientCertificates().isEmpty()) {
      return authenticator.judge(Credentials.NONE);
    }
    return certified(exchange);
  }

  /** The token, hashed once for all requests of the connection that carry it. */
  private static Bearer bearer(HttpExchange exchange, String token) {
    var known = exchange.connection().recall(Bearer.class);
    if (known == null || !known.token().equals(token)) {
      known = new Bearer(token);
      exchange.connection().remember(known);
    }
    return known;
  }

  private Verdict certified(HttpExchange exchange) {
    var known = exchange.connection().recall(Certified.class);
    if (known != null && known.until() >= System.nanoTime()) {
      return known.user();
    }
    var verdict = authenticator.judge(new Credentials(null, exchange.clientCertificates()));
    if (verdict instanceof Known user) {
      exchange.connection().remember(new Certified(user, System.nanoTime() + Certified.KEPT));
    }
    return verdict;
  }

  /** Who a connection's certificate names, looked up again from time to time, for it may expire. */
  private record Certified(Known user, long until) {
    static final long KEPT = 10_000_000_000L;
  }
}
