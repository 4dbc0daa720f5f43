package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entries of servers in the ConfigMap {@code default/kube-apiserver-endpoints}: the key {@code
 * ip-<address>-<port>} with the time of the last renewal, and the number of entries.
 */
final class ConfigMapRecords {
  static final GroupVersionResource RESOURCE = new GroupVersionResource("", "v1", "configmaps");
  static final String NAME = "kube-apiserver-endpoints";
  static final String CONFIG_NAMESPACE = "kube-system";
  static final String CONFIG_NAME = "kube-apiserver-config";
  static final String EXPIRATION = "expiration-duration";
  static final String COUNT = "master-count";
  static final Duration DEFAULT_EXPIRATION = Duration.ofMinutes(1);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Pattern DOTTED = Pattern.compile("[0-9]{1,3}(-[0-9]{1,3}){3}");

  private ConfigMapRecords() {}

  /** The key for one address of a server. */
  static String key(String address, int port) {
    return "ip-" + address.replace('.', '-').replace(':', '-') + "-" + port;
  }

  static List<String> keys(OwnRecord self) {
    return self.addresses().stream().map(address -> key(address, self.port())).toList();
  }

  /**
   * The server of an entry.
   *
   * @throws IllegalArgumentException when the entry is malformed
   */
  static FleetMember member(String key, String value) {
    int dash = key.lastIndexOf('-');
    if (!key.startsWith("ip-") || dash <= 3) {
      throw new IllegalArgumentException(key + " is not of the form ip-<address>-<port>");
    }
    int port;
    try {
      port = Integer.parseInt(key.substring(dash + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " does not end with a port", e);
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException(key + " does not end with a port");
    }
    var dashed = key.substring(3, dash);
    var text = dashed.replace('-', DOTTED.matcher(dashed).matches() ? '.' : ':');
    String address;
    try {
      address = Ip.parse(text).toString();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + " has no address", e);
    }
    try {
      Instant.parse(value);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(key + " has no time but \"" + value + "\"", e);
    }
    return new FleetMember(key, List.of(address), port, FleetMember.Source.CONFIGMAP);
  }

  /** Whether a key of the ConfigMap should be an entry of a server. */
  static boolean isEntry(String key) {
    return !key.equals(COUNT);
  }

  /**
   * The expiration that administrators have configured.
   *
   * @throws IllegalArgumentException when it is invalid
   */
  static Duration expiration(@Nullable JsonObject config) {
    var text = config == null ? "" : config.object("data").string(EXPIRATION);
    if (text.isEmpty()) {
      return DEFAULT_EXPIRATION;
    }
    Duration duration;
    try {
      duration = GoDuration.parse(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(EXPIRATION + " is not a duration: " + text, e);
    }
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(EXPIRATION + " is not between 1s and 24h: " + text);
    }
    return duration;
  }

  static JsonObject configMap(String namespace, String name, JsonObject data) {
    return JsonObject.of(
        "kind",
        "ConfigMap",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of("name", name, "namespace", namespace),
        "data",
        data);
  }

  /** The merge patch that renews a server's own entries and no others. */
  static JsonObject renewal(OwnRecord self, Collection<String> live, Instant now) {
    var data = JsonObject.EMPTY;
    for (var key : keys(self)) {
      data = data.with(key, now.toString());
    }
    long others = live.stream().filter(key -> !keys(self).contains(key)).count();
    return JsonObject.of("data", data.with(COUNT, Long.toString(others + keys(self).size())));
  }

  /** The merge patch that removes entries from the version that was read. */
  static JsonObject removal(JsonObject present, Collection<String> gone) {
    var data = JsonObject.EMPTY;
    for (var key : gone) {
      data = data.with(key, JsonNull.NULL);
    }
    long left =
        present.object("data").keys().stream()
            .filter(key -> isEntry(key) && !gone.contains(key))
            .count();
    Json version = Json.of(present.object("metadata").string("resourceVersion"));
    return JsonObject.of(
        "metadata",
        JsonObject.of("resourceVersion", version),
        "data",
        data.with(COUNT, Long.toString(left)));
  }
}
