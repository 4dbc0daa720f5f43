package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.model.User;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The headers in which another API server receives the user of a forwarded request. */
public final class RemoteUser {
  /** This server's own user when it fetches documents. */
  public static final User AGGREGATOR = User.of("system:kube-aggregator", User.MASTERS);

  private static final String TOKEN_SIGNS = "!#$&'*+-.^_`|~";

  private RemoteUser() {}

  /**
   * @throws BackendException when a value of the user is not valid in a header
   */
  public static List<Header> headers(User user) throws BackendException {
    var headers = new ArrayList<Header>();
    headers.add(header("x-remote-user", user.name()));
    if (!user.uid().isEmpty()) {
      headers.add(header("x-remote-uid", user.uid()));
    }
    for (var group : user.groups()) {
      headers.add(header("x-remote-group", group));
    }
    for (var extra : user.extra().entrySet()) {
      var name = "x-remote-extra-" + escaped(extra.getKey());
      for (var value : extra.getValue()) {
        headers.add(header(name, value));
      }
    }
    return headers;
  }

  /** The text in UTF-8, with one character per byte, as HTTP sends it. */
  private static Header header(String name, String value) throws BackendException {
    var bytes = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    for (int i = 0; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        throw new BackendException("net/http: invalid header field value for \"" + name + "\"");
      }
    }
    return new Header(name, bytes);
  }

  /** Percent-encodes characters that are not valid in header names, and the percent sign. */
  static String escaped(String key) {
    var text = new StringBuilder();
    for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || TOKEN_SIGNS.indexOf(c) >= 0;
      if (plain) {
        text.append(c);
      } else {
        text.append("%%%02X".formatted((int) c));
      }
    }
    return text.toString();
  }
}
