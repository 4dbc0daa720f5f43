package dev.muster.access.jwt;

import java.io.IOException;

/** Fetches the documents of an issuer over HTTPS. Safe for any thread; blocks. */
@FunctionalInterface
public interface ProviderClient {
  /**
   * @throws IOException when there is no answer in time, or one that is too long
   */
  Response get(String url) throws IOException;

  record Response(int status, String contentType, byte[] body) {}

  /** Makes clients. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param authorities in PEM, of those who sign the issuer's certificate; "" for this machine's
     */
    ProviderClient trusting(String authorities);
  }
}
