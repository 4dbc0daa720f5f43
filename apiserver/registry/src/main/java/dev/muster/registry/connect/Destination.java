package dev.muster.registry.connect;

/**
 * The target of a proxied request, kept in parts so that no code parses them out of a text. Path
 * and query can be sent as they are.
 *
 * @param host an address or name, without brackets. A node's status chooses it, so it is untrusted
 *     until resolved
 * @param port 0 for the default port of the scheme. A node's status chooses it, so it may be
 *     invalid
 * @param path percent-encoded, with a leading slash, or ""
 * @param query percent-encoded, without its question mark, or ""
 */
public record Destination(
    Backend backend, boolean encrypted, String host, int port, String path, String query) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** The kind of backend, which decides about certificates and allowed addresses. */
  public enum Backend {
    /**
     * A kubelet: receives the server's client certificate; its own is verified if a CA is
     * configured.
     */
    KUBELET,
    /** A kubelet whose certificate is not verified, as the client asked. */
    UNVERIFIED_KUBELET,
    /**
     * A user's workload. Connections to workloads must not reach loopback or link-local addresses,
     * where services trust every connection.
     */
    WORKLOAD
  }

  public Destination {
    path = UrlText.path(path);
    query = UrlText.query(query);
    if (!path.isEmpty() && path.charAt(0) != '/') {
      path = "/" + path;
    }
  }

  public Destination withPath(String otherPath, String otherQuery) {
    return new Destination(backend, encrypted, host, port, otherPath, otherQuery);
  }

  Destination to(Backend other) {
    return new Destination(other, encrypted, host, port, path, query);
  }

  public int portNumber() {
    return port == 0 ? (encrypted ? HTTPS : HTTP) : port;
  }

  /** Whether the port is valid. */
  public boolean hasValidPort() {
    return portNumber() > 0 && portNumber() <= 0xffff;
  }

  /** Host and port to dial; an IPv6 address is in brackets. */
  public String authority() {
    return bracketed() + ":" + portNumber();
  }

  /** Host and port as in a URL: the scheme's default port appears only if it was requested. */
  public String urlAuthority() {
    return port == 0 ? bracketed() : authority();
  }

  private String bracketed() {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** The request target of the HTTP request line. */
  public String requestTarget() {
    return (path.isEmpty() ? "/" : path) + (query.isEmpty() ? "" : "?" + query);
  }

  /** The URL, for error messages. */
  @Override
  public String toString() {
    return (encrypted ? "https://" : "http://")
        + urlAuthority()
        + path
        + (query.isEmpty() ? "" : "?" + query);
  }
}
