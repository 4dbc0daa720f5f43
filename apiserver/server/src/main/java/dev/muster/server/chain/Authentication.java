package dev.muster.server.chain;

import dev.muster.authentication.BearerToken;
import dev.muster.authentication.CertificateVerdict;
import dev.muster.authentication.ClientCertificates;
import dev.muster.authentication.Credentials;
import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authentication.RequestAuthenticator.Refused;
import dev.muster.authentication.RequestAuthenticator.Verdict;
import dev.muster.authentication.RequestHeaderAuthenticator;
import dev.muster.http.HttpExchange;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.metrics.AuthenticationMetrics;
import dev.muster.server.metrics.AuthenticationMetrics.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a request by its front proxy headers, its client certificate or its token. Only
 * event loops use it. It verifies the certificate of a connection once, on the verification
 * executor, and caches the result with the connection, also when the certificate is bad. It checks
 * tokens on every request.
 */
public final class Authentication {
  private static final String BEARER = "Bearer ";

  private final RequestAuthenticator authenticator;
  private final @Nullable ClientCertificates certificates;
  private final @Nullable RequestHeaderAuthenticator requestHeaderAuthenticator;
  private final Executor verification;
  private final AuthenticationMetrics metrics;

  /**
   * @param certificates null when no client CA is configured
   * @param requestHeaderAuthenticator null when no front proxy is configured
   * @param verification runs the verification of certificate chains, which may take long
   */
  public Authentication(
      RequestAuthenticator authenticator,
      @Nullable ClientCertificates certificates,
      @Nullable RequestHeaderAuthenticator requestHeaderAuthenticator,
      Executor verification,
      AuthenticationMetrics metrics) {
    this.metrics = metrics;
    this.authenticator = authenticator;
    this.certificates = certificates;
    this.requestHeaderAuthenticator = requestHeaderAuthenticator;
    this.verification = verification;
  }

  /** Results that a connection caches for its later requests. */
  private static final class Known {
    @Nullable BearerToken bearer;
    @Nullable CompletableFuture<CertificateVerdict> certificate;
    @Nullable CompletableFuture<CertificateVerdict> frontProxy;
  }

  /**
   * Authenticates the request. The result is nearly always complete at once; otherwise any thread
   * may complete it.
   */
  public CompletableFuture<Verdict> evaluate(HttpExchange exchange) {
    var known = known(exchange);
    var proxy = requestHeaderAuthenticator;
    if (proxy == null || exchange.clientCertificates().isEmpty()) {
      return ofClient(exchange, known);
    }
    var headers = headers(exchange);
    if (!proxy.isAskedBy(headers)) {
      return ofClient(exchange, known);
    }
    var verdict = verdict(exchange, proxy.certificates(), known.frontProxy);
    known.frontProxy = verdict;
    Function<CertificateVerdict, CompletableFuture<Verdict>> next =
        found -> {
          var user = proxy.believes(found) ? proxy.user(headers) : null;
          return user == null
              ? ofClient(exchange, known).thenApply(Authentication::notAnonymous)
              : CompletableFuture.completedFuture(new RequestAuthenticator.Known(user));
        };
    return verdict.isDone()
        ? verdict.thenCompose(next)
        : verdict.thenComposeAsync(next, exchange.eventLoop());
  }

  /**
   * Counts the final result of the authentication in the metrics.
   *
   * @param nanos how long the authentication took
   */
  void judged(HttpExchange exchange, Verdict verdict, long nanos) {
    if (certificates != null && !exchange.clientCertificates().isEmpty()) {
      metrics.shown(certificates.remainingMillis(exchange.clientCertificates().getFirst()));
    }
    switch (verdict) {
      case RequestAuthenticator.Known known ->
          metrics.authenticated(Result.SUCCESS, known.user().name(), nanos);
      case Refused ignored -> {
        boolean shown =
            exchange.header("authorization") != null || !exchange.clientCertificates().isEmpty();
        metrics.authenticated(shown ? Result.ERROR : Result.FAILURE, "", nanos);
      }
    }
  }

  /** An untrusted front proxy must not fall back to anonymous. */
  private static Verdict notAnonymous(Verdict verdict) {
    return verdict instanceof RequestAuthenticator.Known known && known.user().isAnonymous()
        ? new Refused(false)
        : verdict;
  }

  private static RequestHeaderAuthenticator.Headers headers(HttpExchange exchange) {
    return new RequestHeaderAuthenticator.Headers() {
      @Override
      public List<String> all(String name) {
        return exchange.headers(name);
      }

      @Override
      public Iterable<Map.Entry<String, String>> all() {
        return exchange.headers();
      }
    };
  }

  private CompletableFuture<Verdict> ofClient(HttpExchange exchange, Known known) {
    var bearerToken = bearer(exchange, known);
    var certificate = certificate(exchange, known);
    var path = exchange.path();
    return certificate == null
        ? evaluate(
            bearerToken == null ? Credentials.NONE : new Credentials(bearerToken, null), path)
        : certificate.thenCompose(found -> evaluate(new Credentials(bearerToken, found), path));
  }

  /** Refuses all credentials until the replica has loaded the cluster. */
  private CompletableFuture<Verdict> evaluate(Credentials credentials, String path) {
    try {
      return authenticator.evaluate(credentials, path);
    } catch (ReplicaException.NotLoaded e) {
      return CompletableFuture.completedFuture(new Refused(true));
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

  private static @Nullable BearerToken bearer(HttpExchange exchange, Known known) {
    var authorization = exchange.header("authorization");
    var sent = token(authorization);
    if (sent != null) {
      return hashedOnce(sent, known);
    }
    if ("websocket".equalsIgnoreCase(exchange.header("upgrade"))) {
      var token = Credentials.bearerOfWebSocket(exchange.headers("sec-websocket-protocol"));
      return token == null ? null : new BearerToken(token);
    }
    return null;
  }

  private static @Nullable String token(@Nullable String authorization) {
    if (authorization != null
        && authorization.startsWith(BEARER)
        && authorization.length() > BEARER.length()
        && authorization.indexOf(' ', BEARER.length()) < 0) {
      return authorization.substring(BEARER.length());
    }
    return Credentials.bearerOf(authorization);
  }

  /** The token, hashed once for all requests of the connection that carry it. */
  private static BearerToken hashedOnce(String token, Known known) {
    var last = known.bearer;
    if (last == null || !last.token().equals(token)) {
      last = new BearerToken(token);
      known.bearer = last;
    }
    return last;
  }

  private static boolean holds(
      ClientCertificates certificates, CompletableFuture<CertificateVerdict> verdict) {
    return !verdict.isCompletedExceptionally() && certificates.holds(verdict.join());
  }

  /** Requests that arrive while the chain is verified wait for the same result. */
  private @Nullable CompletableFuture<CertificateVerdict> certificate(
      HttpExchange exchange, Known known) {
    if (certificates == null || exchange.clientCertificates().isEmpty()) {
      return null;
    }
    known.certificate = verdict(exchange, certificates, known.certificate);
    return known.certificate;
  }

  private CompletableFuture<CertificateVerdict> verdict(
      HttpExchange exchange,
      ClientCertificates authorities,
      @Nullable CompletableFuture<CertificateVerdict> last) {
    if (last != null && (!last.isDone() || holds(authorities, last))) {
      return last;
    }
    var chain = exchange.clientCertificates();
    var remembered = authorities.remembered(chain.getFirst());
    return remembered == null
        ? CompletableFuture.supplyAsync(() -> authorities.verify(chain), verification)
        : CompletableFuture.completedFuture(remembered);
  }
}
