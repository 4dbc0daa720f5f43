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
 * Authenticates users by the headers of a trusted front proxy. The proxy's certificate must be
 * signed by the dedicated authority and have an allowed name. Thread-safe.
 *
 * @param certificates the authorities of proxy certificates
 * @param allowedNames the allowed CommonNames; empty to allow any
 * @param nameHeaders the headers with the user name, in lower case
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
    /** All values of a header, by its lower-case name. */
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

  /** Whether the headers name a user. */
  public boolean isAskedBy(Headers headers) {
    return !first(nameHeaders, headers).isEmpty();
  }

  /** Whether the certificate belongs to a trusted front proxy. */
  public boolean believes(CertificateVerdict certificate) {
    var shown = certificate.user();
    return !certificate.isRefused()
        && (allowedNames.isEmpty() || (shown != null && allowedNames.contains(shown.name())));
  }

  /** The user that the headers name, or null. */
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

  /**
   * The HTTP layer decodes each byte of a header into one character; this decodes them as UTF-8.
   */
  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
