package dev.muster.server.webhook;

/**
 * Where connections lead that may serve one another's calls.
 *
 * @param host to connect to, a name or an address
 * @param serverName that the certificate there has to be for
 * @param authorities who may have signed it, in PEM; "" for those of this machine
 * @param certificates that we show there, in PEM; "" for none
 * @param privateKey of the first of them
 */
record Origin(
    String host,
    int port,
    String serverName,
    String authorities,
    String certificates,
    String privateKey) {
  /** Never the key. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
