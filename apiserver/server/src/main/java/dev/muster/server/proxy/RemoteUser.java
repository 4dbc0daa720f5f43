package dev.muster.server.proxy;

import dev.muster.http.Header;
import dev.muster.model.User;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What another API server is told about who asks, in the headers it knows. */
public final class RemoteUser {
  /** The server itself, when it wants to know what is there. */
  public static final User AGGREGATOR = User.of("system:kube-aggregator", User.MASTERS);

  private static final String TOKEN_SIGNS = "!#$&'*+-.^_`|~";

  private RemoteUser() {}

  /**
   * @throws BackendException when something about the user cannot stand in a header
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

  /** The text's bytes in UTF-8, each as one character, as it goes over the wire. */
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

  /** What cannot stand in the name of a header is percent-encoded, and the percent sign is. */
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
