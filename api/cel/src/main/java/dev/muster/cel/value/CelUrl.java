package dev.muster.cel.value;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.gocompat.GoUrl;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A URL. */
public record CelUrl(String text, GoUrl parts) implements OpaqueValue {

  /**
   * Parses an absolute URL or an absolute path.
   *
   * @throws MalformedValueException when it is neither
   */
  public static CelUrl parse(String text) {
    if (text.isEmpty()) {
      throw new MalformedValueException("parse \"\": empty url");
    }
    var url = GoUrl.parse(text);
    if (url.scheme().isEmpty() && !text.startsWith("/") && !text.equals("*")) {
      throw new MalformedValueException(
          "parse " + GoText.quote(text) + ": invalid URI for request");
    }
    return new CelUrl(text, url);
  }

  public String hostname() {
    var host = parts.host();
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end < 0 ? host : host.substring(1, end);
    }
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  public String port() {
    var host = parts.host();
    int colon = host.lastIndexOf(':');
    return colon < 0 || host.endsWith("]") ? "" : host.substring(colon + 1);
  }

  /** The query parameters with all their values. */
  public CelMap query() {
    Map<Object, List<String>> found = new LinkedHashMap<>();
    for (var pair : parts.query().split("&")) {
      int equals = pair.indexOf('=');
      var key = decoded(equals < 0 ? pair : pair.substring(0, equals));
      var value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (!pair.isEmpty() && !pair.contains(";") && key != null && value != null) {
        found.computeIfAbsent(key, ignored -> new ArrayList<>()).add(value);
      }
    }
    var query = new LinkedHashMap<Object, Object>();
    found.forEach((key, values) -> query.put(key, CelList.of(values)));
    return CelMap.of(query);
  }

  /** Null for a malformed text; such parameters are left out. */
  private static @Nullable String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public String typeName() {
    return "kubernetes.URL";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CelUrl that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
