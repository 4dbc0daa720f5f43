package dev.muster.authentication;

import dev.muster.model.User;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of this server that says in headers who its clients are. It is believed when its
 * certificate is of an authority of its own and names one of the allowed names. Safe for any
 * thread.
 *
 * @param certificates by whom a proxy's certificate has to be signed
 * @param allowedNames its CommonName is one of these; any when there are none
 * @param nameHeaders in lower case, as all headers are
 */
public record RequestHeaderAuthenticator(
    ClientCertificates certificates,
    List<String> allowedNames,
    List<String> nameHeaders,
    List<String> uidHeaders,
    List<String> groupHeaders,
    List<String> extraPrefixes) {

  /** The headers of a request. */
  public interface Headers {
    /** All values of that lower-case name. */
    List<String> all(String name);

    /** All headers, with lower-case names. */
    Iterable<Map.Entry<String, String>> all();
  }

  public RequestHeaderAuthenticator {
    allowedNames = List.copyOf(allowedNames);
    nameHeaders = lower(nameHeaders);
    uidHeaders = lower(uidHeaders);
    groupHeaders = lower(groupHeaders);
    extraPrefixes = lower(extraPrefixes);
  }

  private static List<String> lower(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  /** Whether the headers name a user at all. */
  public boolean isAskedBy(Headers headers) {
    return !first(nameHeaders, headers).isEmpty();
  }

  /** Whether the one who shows that certificate may say who somebody is. */
  public boolean believes(CertificateVerdict certificate) {
    var shown = certificate.user();
    return !certificate.isRefused()
        && (allowedNames.isEmpty() || (shown != null && allowedNames.contains(shown.name())));
  }

  /** Whom the headers name, or null. */
  public @Nullable User user(Headers headers) {
    var name = first(nameHeaders, headers);
    if (name.isEmpty()) {
      return null;
    }
    var groups = new ArrayList<String>();
    for (var header : groupHeaders) {
      headers.all(header).forEach(group -> groups.add(utf8(group)));
    }
    return new User(name, first(uidHeaders, headers), groups, extra(headers)).authenticated();
  }

  private static String first(List<String> names, Headers headers) {
    for (var name : names) {
      for (var value : headers.all(name)) {
        if (!value.isBlank()) {
          return utf8(value.strip());
        }
      }
    }
    return "";
  }

  private Map<String, List<String>> extra(Headers headers) {
    var found = new TreeMap<String, List<String>>();
    for (var header : headers.all()) {
      for (var prefix : extraPrefixes) {
        if (header.getKey().startsWith(prefix)) {
          var key = unescaped(header.getKey().substring(prefix.length()));
          found.computeIfAbsent(key, absent -> new ArrayList<>()).add(utf8(header.getValue()));
        }
      }
    }
    return found;
  }

  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key;
    }
  }

  /** Headers come with one character for each byte. */
  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
