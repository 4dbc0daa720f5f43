package dev.muster.server.options;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signing and verification of service account tokens. Without a signing key the server
 * generates one and keeps it beside its certificate.
 */
@FlagGroup("Service accounts")
public record ServiceAccountOptions(
    @Flag(
            name = "service-account-issuer",
            forms = Flag.Form.ELEMENT_PER_USE,
            help =
                "The issuer named in tokens. Repeatable: the first signs, all are accepted. An"
                    + " https URL when others are to discover the keys.")
        List<String> issuers,
    @Flag(
            name = "service-account-key-file",
            file = FileKind.PUBLIC_KEYS,
            forms = Flag.Form.ELEMENT_PER_USE,
            help =
                "PEM file with public or private keys, RSA or ECDSA, that tokens may be signed"
                    + " with. Repeatable. Unset: the signing key.")
        List<Path> keyFiles,
    @Flag(
            name = "service-account-signing-key-file",
            file = FileKind.PRIVATE_KEY,
            help = "PEM file with the private key that signs new tokens.")
        @Nullable Path signingKeyFile,
    @Flag(
            name = "service-account-lookup",
            help = "Accept a token only while its service account exists.")
        boolean lookup,
    @Flag(
            name = "service-account-max-token-expiration",
            help = "The longest life of a token, whatever was asked for. 0s: no limit.")
        Duration maxTokenExpiration,
    @Flag(
            name = "service-account-extend-token-expiration",
            help =
                "Give injected tokens a year instead of an hour, with a warning, for clients that"
                    + " do not reload them.")
        boolean extendTokenExpiration,
    @Flag(
            name = "service-account-jwks-uri",
            help = "The key set's URI in the issuer's discovery document.")
        @Nullable String jwksUri)
    implements OptionGroup {

  /** A name that is valid for any DNS domain of the cluster, which the server does not know. */
  public static final String DEFAULT_ISSUER = "https://kubernetes.default.svc";

  public ServiceAccountOptions {
    issuers = List.copyOf(issuers);
    keyFiles = List.copyOf(keyFiles);
    if (issuers.isEmpty() || issuers.contains("")) {
      throw new IllegalArgumentException("--service-account-issuer: must not be empty");
    }
    var seen = new HashSet<String>();
    for (var issuer : issuers) {
      checkIssuer(issuer);
      if (!seen.add(issuer)) {
        throw new IllegalArgumentException(
            "--service-account-issuer: service-account-issuer \""
                + issuer
                + "\" is already specified");
      }
    }
    if (jwksUri != null) {
      checkJwksUri(jwksUri);
    }
    if (!maxTokenExpiration.isZero()
        && (maxTokenExpiration.compareTo(Duration.ofHours(1)) < 0
            || maxTokenExpiration.compareTo(Duration.ofSeconds(1L << 32)) > 0)) {
      throw new IllegalArgumentException(
          "--service-account-max-token-expiration: must be between 1h and 2^32 seconds");
    }
  }

  private static void checkIssuer(String issuer) {
    if (issuer.indexOf(':') >= 0) {
      try {
        GoUrl.parse(issuer);
      } catch (MalformedValueException e) {
        throw new IllegalArgumentException(
            "--service-account-issuer: service-account-issuer \""
                + issuer
                + "\" contained a ':' but was not a valid URL: "
                + e.text(),
            e);
      }
    }
  }

  private static void checkJwksUri(String uri) {
    try {
      if (!GoUrl.parse(uri).scheme().equals("https")) {
        throw new IllegalArgumentException(
            "--service-account-jwks-uri: service-account-jwks-uri requires https scheme, parsed"
                + " as: "
                + uri);
      }
    } catch (MalformedValueException e) {
      throw new IllegalArgumentException(
          "--service-account-jwks-uri: service-account-jwks-uri must be a valid URL: " + e.text(),
          e);
    }
  }

  public static ServiceAccountOptions defaults() {
    return new ServiceAccountOptions(
        List.of(DEFAULT_ISSUER), List.of(), null, true, Duration.ZERO, true, null);
  }
}
