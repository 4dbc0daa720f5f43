package dev.muster.registry.webhook;

import dev.muster.model.MalformedValueException;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayDeque;

/** The address of a webhook, from its configuration. */
public sealed interface WebhookAddress {
  int HTTP = 80;
  int HTTPS = 443;

  /** Percent-encoded, with a leading slash and no trailing one. */
  String path();

  /** Host and port, as in a URL and the Host header. */
  String authority();

  /** The name that the webhook's certificate must contain. */
  String serverName();

  /** Whether the connection uses TLS. */
  default boolean isEncrypted() {
    return true;
  }

  /**
   * A Service of the cluster, whose certificate is for {@code <name>.<namespace>.svc}.
   *
   * @param port the port of the Service, not of its endpoints
   */
  record Service(String namespace, String name, int port, String path) implements WebhookAddress {
    public Service {
      path = clean(path);
    }

    @Override
    public String serverName() {
      return name + "." + namespace + ".svc";
    }

    @Override
    public String authority() {
      return serverName() + ":" + port;
    }
  }

  /**
   * A URL.
   *
   * @param host a name or an address, without brackets
   * @param authority host and port as written in the URL
   */
  record Url(boolean isEncrypted, String host, int port, String authority, String path)
      implements WebhookAddress {
    public Url {
      path = clean(path);
    }

    @Override
    public String serverName() {
      return host;
    }
  }

  /**
   * Reads the {@code clientConfig} of a webhook or of a conversion.
   *
   * @throws WebhookException when it contains no valid address
   */
  static WebhookAddress of(JsonObject clientConfig) throws WebhookException {
    if (clientConfig.get("service") instanceof JsonObject service) {
      return new Service(
          service.string("namespace"),
          service.string("name"),
          (int) service.integer("port", HTTPS),
          service.string("path"));
    }
    if (!(clientConfig.get("url") instanceof JsonString(var text)) || text.isEmpty()) {
      throw new WebhookException("webhook configuration must have either service or URL");
    }
    return url(text);
  }

  /**
   * Parses an https URL.
   *
   * @throws WebhookException when it is invalid or has no TLS
   */
  static Url url(String text) throws WebhookException {
    var url = anyUrl(text);
    if (!url.isEncrypted()) {
      throw new WebhookException("unsupported protocol scheme \"http\"");
    }
    return url;
  }

  /**
   * Parses a URL from the server's own configuration, which may lack TLS on loopback.
   *
   * @throws WebhookException when it is invalid, or has no TLS and is not on loopback
   */
  static Url chosenUrl(String text) throws WebhookException {
    var url = anyUrl(text);
    if (!url.isEncrypted() && !isThisMachine(url.host())) {
      throw new WebhookException(
          "http is for this machine only, and \"" + url.host() + "\" is not");
    }
    return url;
  }

  private static boolean isThisMachine(String host) {
    try {
      return host.equals("localhost") || Ip.parse(host).isLoopback();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Parses a URL with or without TLS.
   *
   * @throws WebhookException when it is invalid
   */
  static Url anyUrl(String text) throws WebhookException {
    GoUrl url;
    try {
      url = GoUrl.parse(text);
    } catch (MalformedValueException e) {
      throw new WebhookException("Unparsable URL: " + e.getMessage());
    }
    boolean encrypted = url.scheme().equals("https");
    if (!encrypted && !url.scheme().equals("http")) {
      throw new WebhookException("unsupported protocol scheme \"" + url.scheme() + "\"");
    }
    var authority = url.host();
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > authority.lastIndexOf(']');
    var host = hasPort ? authority.substring(0, colon) : authority;
    var digits = hasPort ? authority.substring(colon + 1) : "";
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = digits.isEmpty() ? (encrypted ? HTTPS : HTTP) : port(digits);
    return new Url(encrypted, host, port, authority, url.path());
  }

  /** The port of a URL; -1 when it has too many digits, so that no connection succeeds. */
  private static int port(String digits) {
    return digits.length() <= 5 ? Integer.parseInt(digits) : -1;
  }

  /**
   * Normalizes a path like Go's {@code path.Join("/", path)}: no empty or dot segments, no trailing
   * slash.
   */
  private static String clean(String path) {
    var parts = new ArrayDeque<String>();
    for (var part : path.split("/", -1)) {
      switch (part) {
        case "", "." -> {}
        case ".." -> parts.pollLast();
        default -> parts.addLast(part);
      }
    }
    return "/" + String.join("/", parts);
  }
}
