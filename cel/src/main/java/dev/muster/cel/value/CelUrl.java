package dev.muster.cel.value;

import dev.muster.model.GoText;
import dev.muster.model.GoUrl;
import dev.muster.model.MalformedValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An address of the web. */
public record CelUrl(String text, GoUrl parts) implements OpaqueValue {

  /**
   * Reads an absolute address or an absolute path.
   *
   * @throws MalformedValueException when it is neither
   */
  public static CelUrl parse(String text) {
    if (text.isEmpty()) {
      throw new MalformedValueException("parse \"\": empty url");
    }
    var url = GoUrl.parse(text);
    boolean opaque = !url.scheme().isEmpty() && url.host().isEmpty() && url.path().isEmpty();
    if ((url.scheme().isEmpty() && !text.startsWith("/")) || opaque) {
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

  /** The query's keys with all of their values. */
  public CelMap query() {
    Map<Object, List<String>> found = new LinkedHashMap<>();
    for (var pair : parts.query().split("&")) {
      if (pair.isEmpty() || pair.contains(";")) {
        continue;
      }
      int equals = pair.indexOf('=');
      try {
        var key = decoded(equals < 0 ? pair : pair.substring(0, equals));
        found
            .computeIfAbsent(key, ignored -> new ArrayList<>())
            .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        continue; // a malformed pair is left out
      }
    }
    var query = new LinkedHashMap<Object, Object>();
    found.forEach((key, values) -> query.put(key, CelList.of(values)));
    return CelMap.of(query);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
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
