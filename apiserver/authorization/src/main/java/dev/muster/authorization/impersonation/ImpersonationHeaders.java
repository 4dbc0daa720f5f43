package dev.muster.authorization.impersonation;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The user that the {@code Impersonate-*} headers of a request name, unchecked. */
public record ImpersonationHeaders(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The prefix of all impersonation headers. */
  public static final String PREFIX = "impersonate-";

  private static final String EXTRA = "impersonate-extra-";

  public ImpersonationHeaders {
    groups = List.copyOf(groups);
  }

  /** Whether the lower-case name is an impersonation header's. */
  public static boolean isHeader(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * Parses the headers; null when they name no user.
   *
   * @param headers all headers, with names in lower case
   * @throws ApiException 400 when groups, UID or extra are set without a user
   */
  public static @Nullable ImpersonationHeaders of(
      Iterable<? extends Map.Entry<? extends CharSequence, ? extends CharSequence>> headers) {
    var name = "";
    var uid = "";
    var groups = new ArrayList<String>();
    var extra = new TreeMap<String, List<String>>();
    for (var header : headers) {
      var key = header.getKey().toString().toLowerCase(Locale.ROOT);
      if (!isHeader(key)) {
        continue;
      }
      var value = header.getValue().toString();
      switch (key) {
        case "impersonate-user" -> name = name.isEmpty() ? value : name;
        case "impersonate-uid" -> uid = uid.isEmpty() ? value : uid;
        case "impersonate-group" -> groups.add(value);
        default -> {
          if (key.startsWith(EXTRA)) {
            extra
                .computeIfAbsent(unescape(key.substring(EXTRA.length())), k -> new ArrayList<>())
                .add(value);
          }
        }
      }
    }
    var wanted = new ImpersonationHeaders(name, uid, groups, extra);
    if (!name.isEmpty()) {
      return wanted;
    }
    if (wanted.onlyName()) {
      return null;
    }
    throw ApiException.badRequest(
        "requested " + wanted.describe() + " without impersonating a user name");
  }

  boolean onlyName() {
    return uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
  }

  private static String unescape(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key;
    }
  }

  /** The text that Go prints for upstream's structure. */
  private String describe() {
    var extras = new ArrayList<String>();
    extra.forEach((key, values) -> extras.add(GoText.quote(key) + ":" + goList(values)));
    return "&user.DefaultInfo{Name:%s, UID:%s, Groups:%s, Extra:%s}"
        .formatted(
            GoText.quote(name),
            GoText.quote(uid),
            groups.isEmpty() ? "[]string(nil)" : goList(groups),
            extras.isEmpty()
                ? "map[string][]string(nil)"
                : "map[string][]string{" + String.join(", ", extras) + "}");
  }

  private static String goList(List<String> texts) {
    return "[]string{" + String.join(", ", texts.stream().map(GoText::quote).toList()) + "}";
  }
}
