package dev.muster.authentication.jwt;

import java.io.IOException;

/** Fetches the documents of an issuer over HTTPS. Safe for any thread; blocks. */
@FunctionalInterface
public interface ProviderClient {
  /**
   * @param accessToken that is shown to whoever is there, and to nobody that this one redirects to;
   *     "" for none
   * @throws IOException when there is no answer in time, or one that is too long
   */
  Response get(String url, String accessToken) throws IOException;

  /** Without a token. */
  default Response get(String url) throws IOException {
    return get(url, "");
  }

  record Response(int status, String contentType, byte[] body) {}

  /** Makes clients. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param authorities in PEM, of those who sign the issuer's certificate; "" for this machine's
     * @param egress the egress selection that leads there; "" when the issuer is reached directly
     * @throws IllegalArgumentException when there is no such selection
     */
    ProviderClient reaching(String authorities, String egress);
  }
}
