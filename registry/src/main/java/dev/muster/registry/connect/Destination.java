package dev.muster.registry.connect;

/**
 * Where a request is passed on to.
 *
 * @param scheme http, https, or "" for http
 * @param port "" for the scheme's own
 * @param path with a slash in front, or ""
 * @param query without its question mark, or ""
 */
public record Destination(String scheme, String host, String port, String path, String query) {

  public Destination withPath(String otherPath, String otherQuery) {
    return new Destination(scheme, host, port, otherPath, otherQuery);
  }

  public boolean isEncrypted() {
    return scheme.equals("https");
  }

  public int portNumber() {
    return port.isEmpty() ? (isEncrypted() ? 443 : 80) : Integer.parseInt(port);
  }

  /** Host and port as they are dialled; an IPv6 address is in brackets. */
  public String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + portNumber();
  }

  @Override
  public String toString() {
    var target = port.isEmpty() ? authority().replaceFirst(":\\d+$", "") : authority();
    return (scheme.isEmpty() ? "http" : scheme)
        + "://"
        + target
        + path
        + (query.isEmpty() ? "" : "?" + query);
  }
}
