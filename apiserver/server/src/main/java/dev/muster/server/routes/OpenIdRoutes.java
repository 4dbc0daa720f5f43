package dev.muster.server.routes;

import dev.muster.authentication.token.ServiceAccountTokens;
import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.server.request.Request;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the OpenID Connect Discovery documents, with which other systems verify service account
 * tokens. They always show the current keys.
 */
public final class OpenIdRoutes {
  private static final Logger log = LoggerFactory.getLogger(OpenIdRoutes.class);
  private static final String KEYS = "/openid/v1/jwks";

  private OpenIdRoutes() {}

  /**
   * The handlers of the two documents by path; empty when the issuer cannot be discovered.
   *
   * @param jwksUri the URL of the keys; "" for this server
   * @param host the host and port of this server
   */
  public static Map<String, Consumer<Request>> of(
      ServiceAccountTokens tokens, String jwksUri, String host) {
    var problem = problem(tokens.issuer());
    if (!problem.isEmpty()) {
      log.info(
          "Could not construct pre-rendered responses for ServiceAccountIssuerDiscovery endpoints."
              + " Endpoints will not be enabled. Error: {}",
          problem);
      return Map.of();
    }
    var uri = jwksUri.isEmpty() ? "https://" + host + KEYS : jwksUri;
    return Map.of(
        KEYS,
        request -> PathRoutes.published(request, "application/jwk-set+json", tokens.keys().jwks()),
        "/.well-known/openid-configuration",
        request ->
            PathRoutes.published(
                request,
                "application/json",
                tokens.keys().openIdConfiguration(tokens.issuer(), uri)));
  }

  private static String problem(String issuer) {
    try {
      var url = GoUrl.parse(issuer);
      if (!url.scheme().equals("https")) {
        return "issuer URL must use https scheme, got: " + issuer;
      }
      if (!url.query().isEmpty()) {
        return "issuer URL may not include a query, got: " + issuer;
      }
      return url.fragment().isEmpty()
          ? ""
          : "issuer URL may not include a fragment, got: " + issuer;
    } catch (MalformedValueException e) {
      return e.text();
    }
  }
}
