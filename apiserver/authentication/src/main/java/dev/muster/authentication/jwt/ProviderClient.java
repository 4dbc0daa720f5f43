package dev.muster.authentication.jwt;

import java.io.IOException;

/** Fetches the documents of an issuer over HTTPS. Thread-safe. Blocks. */
@FunctionalInterface
public interface ProviderClient {
  /**
   * @param accessToken sent to the given URL, but not to redirect targets; "" for none
   * @throws IOException when no answer arrives in time, or when it is too long
   */
  Response get(String url, String accessToken) throws IOException;

  /** Fetches without an access token. */
  default Response get(String url) throws IOException {
    return get(url, "");
  }

  record Response(int status, String contentType, byte[] body) {}

  /** Creates clients. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param authorities PEM of the authorities for the issuer's TLS certificate; "" for the
     *     system's
     * @param egress the name of the egress selection; "" for a direct connection
     * @throws IllegalArgumentException when there is no such selection
     */
    ProviderClient reaching(String authorities, String egress);
  }
}
