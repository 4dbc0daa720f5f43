package dev.muster.server.start;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The trust settings that a cluster's servers publish for aggregated API servers, as the data of a
 * ConfigMap. Servers may have different settings, so each adds its own to the existing data.
 * Expired certificates are dropped. Immutable.
 *
 * @param clientCa CAs of client certificates
 * @param frontProxyCa CAs of front proxies; without them, no header settings are published
 * @param lists header names and allowed names, by their keys in the ConfigMap
 */
record ClusterTrustData(
    List<X509Certificate> clientCa,
    List<X509Certificate> frontProxyCa,
    Map<String, List<String>> lists) {
  private static final String CLIENT_CA = "client-ca-file";
  private static final String FRONT_PROXY_CA = "requestheader-client-ca-file";
  private static final String UID_HEADERS = "requestheader-uid-headers";
  private static final List<String> LISTS =
      List.of(
          "requestheader-allowed-names",
          "requestheader-extra-headers-prefix",
          "requestheader-group-headers",
          UID_HEADERS,
          "requestheader-username-headers");

  /**
   * The current settings of this server.
   *
   * @throws RuntimeException when a file cannot be read
   */
  static ClusterTrustData of(AuthenticationOptions options) {
    var headers = options.requestHeaders();
    return new ClusterTrustData(
        certificates(options.clientCaFile()),
        certificates(headers.clientCaFile()),
        Map.of(
            "requestheader-allowed-names",
            headers.allowedNames(),
            "requestheader-extra-headers-prefix",
            headers.extraHeaderPrefixes(),
            "requestheader-group-headers",
            headers.groupHeaders(),
            UID_HEADERS,
            headers.uidHeaders(),
            "requestheader-username-headers",
            headers.usernameHeaders()));
  }

  private static List<X509Certificate> certificates(@Nullable Path file) {
    return file == null ? List.of() : Pem.certificates(Pem.read(file));
  }

  /**
   * Parses the data of the ConfigMap.
   *
   * @throws RuntimeException when the data cannot be parsed
   */
  static ClusterTrustData read(JsonObject data) {
    var lists = new TreeMap<String, List<String>>();
    for (var key : LISTS) {
      lists.put(key, list(data.string(key)));
    }
    return new ClusterTrustData(
        Pem.certificates(data.string(CLIENT_CA)),
        Pem.certificates(data.string(FRONT_PROXY_CA)),
        lists);
  }

  private static List<String> list(String text) {
    return text.isEmpty()
        ? List.of()
        : ((JsonArray) JsonReader.read(text.getBytes(StandardCharsets.UTF_8))).strings();
  }

  /** These settings and those of another server, without certificates that have expired. */
  ClusterTrustData with(ClusterTrustData other, Instant now) {
    var merged = new TreeMap<String, List<String>>();
    for (var key : LISTS) {
      merged.put(
          key, both(lists.getOrDefault(key, List.of()), other.lists.getOrDefault(key, List.of())));
    }
    return new ClusterTrustData(
        valid(both(clientCa, other.clientCa), now),
        valid(both(frontProxyCa, other.frontProxyCa), now),
        merged);
  }

  private static <T> List<T> both(List<T> some, List<T> others) {
    var all = new LinkedHashSet<>(some);
    all.addAll(others);
    return new ArrayList<>(all);
  }

  private static List<X509Certificate> valid(List<X509Certificate> all, Instant now) {
    return all.stream()
        .filter(certificate -> !now.isAfter(certificate.getNotAfter().toInstant()))
        .toList();
  }

  /** The data of the ConfigMap with these settings. */
  JsonObject data() {
    var texts = new TreeMap<String, String>();
    if (!clientCa.isEmpty()) {
      texts.put(CLIENT_CA, Pem.of(clientCa));
    }
    if (!frontProxyCa.isEmpty()) {
      texts.put(FRONT_PROXY_CA, Pem.of(frontProxyCa));
      for (var key : LISTS) {
        var list = lists.getOrDefault(key, List.of());
        if (!key.equals(UID_HEADERS) || !list.isEmpty()) {
          var json = JsonWriter.bytes(JsonArray.ofStrings(list));
          texts.put(key, new String(json, StandardCharsets.UTF_8));
        }
      }
    }
    var data = JsonObject.builder();
    texts.forEach((key, text) -> data.put(key, Json.of(text)));
    return data.build();
  }
}
