package dev.muster.server.webhook;

/**
 * Where connections lead that may serve one another's calls.
 *
 * @param host to connect to, a name or an address
 * @param serverName that the certificate there has to be for
 * @param authorities who may have signed it, in PEM; "" for those of this machine
 */
record Origin(String host, int port, String serverName, String authorities) {}
