package dev.muster.registry.connect;

/**
 * Where a request is passed on to, in parts: nothing of it is ever found again in a text. Path and
 * query can stand in a request as they are.
 *
 * @param host an address or a name, without brackets; what a node says of itself, so not to be
 *     trusted before it is resolved
 * @param port 0 for the scheme's own; what a node says of itself need not be a port
 * @param path percent-encoded, with a slash in front, or ""
 * @param query percent-encoded, without its question mark, or ""
 */
public record Destination(
    Backend backend, boolean encrypted, String host, int port, String path, String query) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** Who is there: what they are shown and asked for. */
  public enum Backend {
    /** Is shown our client certificate, and its own is verified if we know by whom. */
    KUBELET,
    /** A kubelet, for a client who does not mind whose it is. */
    UNVERIFIED_KUBELET,
    /**
     * What users run on nodes. Connections on behalf of users lead neither to this machine nor to
     * its link, where services trust whoever reaches them.
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

  /** Whether there can be such a port. */
  public boolean hasValidPort() {
    return portNumber() > 0 && portNumber() <= 0xffff;
  }

  /** Host and port as they are dialled; an IPv6 address is in brackets. */
  public String authority() {
    return bracketed() + ":" + portNumber();
  }

  /** Host and port as they stand in a URL: the scheme's own port only when it was asked for. */
  public String urlAuthority() {
    return port == 0 ? bracketed() : authority();
  }

  private String bracketed() {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** What stands in the first line of a request. */
  public String requestTarget() {
    return (path.isEmpty() ? "/" : path) + (query.isEmpty() ? "" : "?" + query);
  }

  /** The URL, for messages. */
  @Override
  public String toString() {
    return (encrypted ? "https://" : "http://")
        + urlAuthority()
        + path
        + (query.isEmpty() ? "" : "?" + query);
  }
}
