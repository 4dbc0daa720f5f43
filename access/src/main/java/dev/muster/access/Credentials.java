package dev.muster.access;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows of itself.
 *
 * @param bearer the token of its {@code Authorization} header, or null when it sent none
 * @param chain its certificates, leaf first, not yet verified; empty when it sent none
 */
public record Credentials(@Nullable Bearer bearer, List<X509Certificate> chain) {
  public static final Credentials NONE = new Credentials(null, List.of());

  public Credentials {
    chain = List.copyOf(chain);
  }

  /** Reads an {@code Authorization} header. */
  public static Credentials of(@Nullable String authorization, List<X509Certificate> chain) {
    var token = bearerOf(authorization);
    return token == null && chain.isEmpty()
        ? NONE
        : new Credentials(token == null ? null : new Bearer(token), chain);
  }

  /**
   * Reads an {@code Authorization} header; the credentials of the connection's last request are
   * used again, with everything that was computed for them, when they are the same.
   */
  public static Credentials of(
      @Nullable String authorization, List<X509Certificate> chain, @Nullable Credentials last) {
    if (last != null && last.chain.equals(chain) && last.hasToken(authorization)) {
      return last;
    }
    return of(authorization, chain);
  }

  private boolean hasToken(@Nullable String authorization) {
    if (bearer == null || authorization == null) {
      return bearer == null && bearerOf(authorization) == null;
    }
    var token = bearer.token();
    return authorization.length() == "Bearer ".length() + token.length()
        && authorization.startsWith("Bearer ")
        && authorization.endsWith(token);
  }

  /** The token of an {@code Authorization} header, or null when it holds none. */
  public static @Nullable String bearerOf(@Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    var parts = authorization.strip().split(" ", 3);
    return parts.length < 2 || !parts[0].equalsIgnoreCase("bearer") || parts[1].isEmpty()
        ? null
        : parts[1];
  }

  /** Never the token itself. */
  @Override
  public String toString() {
    return (bearer == null ? "no token" : "a token") + ", " + chain.size() + " certificates";
  }
}
