package dev.muster.server.chain;

import dev.muster.access.Bearer;
import dev.muster.access.CertificateVerdict;
import dev.muster.access.ClientCertificates;
import dev.muster.access.Credentials;
import dev.muster.access.RequestAuthenticator;
import dev.muster.access.RequestAuthenticator.Refused;
import dev.muster.access.RequestAuthenticator.Verdict;
import dev.muster.replica.ReplicaException;
import dev.muster.server.http.HttpExchange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sends a request; used on event loops only. What a connection's certificate is worth
 * is found out once for the connection, elsewhere, and remembered with it whether it is good or
 * not; tokens are looked at each time.
 */
public final class Authentication {
  private static final String BEARER = "Bearer ";

  private final RequestAuthenticator authenticator;
  private final @Nullable ClientCertificates certificates;
  private final Executor verification;

  /**
   * @param certificates null when no client authority is known
   * @param verification where chains of certificates are verified, for as long as that takes
   */
  public Authentication(
      RequestAuthenticator authenticator,
      @Nullable ClientCertificates certificates,
      Executor verification) {
    this.authenticator = authenticator;
    this.certificates = certificates;
    this.verification = verification;
  }

  /** What was found out about a connection and need not be found out again. */
  private static final class Known {
    @Nullable Bearer bearer;
    @Nullable CompletableFuture<CertificateVerdict> certificate;
  }

  /** Nearly always there at once, and otherwise later, on whatever thread. */
  public CompletableFuture<Verdict> judge(HttpExchange exchange) {
    var known = known(exchange);
    var bearer = bearer(exchange, known);
    var certificate = certificate(exchange, known);
    return certificate == null
        ? CompletableFuture.completedFuture(
            judge(bearer == null ? Credentials.NONE : new Credentials(bearer, null)))
        : certificate.thenApply(found -> judge(new Credentials(bearer, found)));
  }

  /** As long as nothing is known of the cluster, nobody in it is. */
  private Verdict judge(Credentials credentials) {
    try {
      return authenticator.judge(credentials);
    } catch (ReplicaException.NotLoaded e) {
      return new Refused(true);
    }
  }

  private static Known known(HttpExchange exchange) {
    var known = exchange.connection().recall(Known.class);
    if (known == null) {
      known = new Known();
      exchange.connection().remember(known);
    }
    return known;
  }

  private static @Nullable Bearer bearer(HttpExchange exchange, Known known) {
    var authorization = exchange.header("authorization");
    if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return hashedOnce(authorization.substring(BEARER.length()).strip(), known);
    }
    if ("websocket".equalsIgnoreCase(exchange.header("upgrade"))) {
      var token = Credentials.bearerOfWebSocket(exchange.headers("sec-websocket-protocol"));
      return token == null ? null : new Bearer(token);
    }
    return null;
  }

  /** The token, hashed once for all requests of the connection that carry it. */
  private static Bearer hashedOnce(String token, Known known) {
    var last = known.bearer;
    if (last == null || !last.token().equals(token)) {
      last = new Bearer(token);
      known.bearer = last;
    }
    return last;
  }

  private boolean holds(CompletableFuture<CertificateVerdict> verdict) {
    return certificates != null
        && !verdict.isCompletedExceptionally()
        && certificates.holds(verdict.join());
  }

  /** Requests that arrive while the chain is verified wait for the same verdict. */
  private @Nullable CompletableFuture<CertificateVerdict> certificate(
      HttpExchange exchange, Known known) {
    var chain = exchange.clientCertificates();
    if (certificates == null || chain.isEmpty()) {
      return null;
    }
    var last = known.certificate;
    if (last == null || (last.isDone() && !holds(last))) {
      var remembered = certificates.remembered(chain.getFirst());
      last =
          remembered == null
              ? CompletableFuture.supplyAsync(() -> certificates.verify(chain), verification)
              : CompletableFuture.completedFuture(remembered);
      known.certificate = last;
    }
    return last;
  }
}
