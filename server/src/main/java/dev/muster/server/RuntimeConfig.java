package dev.muster.server;

import dev.muster.model.GroupVersion;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.registry.types.builtin.BuiltInTypes;
import dev.muster.replica.ObjectDecoder;
import dev.muster.schema.ResourceType;
import dev.muster.server.options.ApiOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which of all known types a server serves: {@code --runtime-config} and feature gates decide. */
final class RuntimeConfig {
  private static final String PREFIX = "api/";
  private static final String COORDINATION = "apiservercoordination.k8s.io";

  private RuntimeConfig() {}

  /**
   * The types that this build brings with it, of which some are not served.
   *
   * @param readers says how the objects at a place in the store are read
   * @throws IllegalArgumentException when the setting names groups that nobody knows
   */
  static Types types(
      ApiOptions api, Duration eventTimeToLive, Function<String, ObjectDecoder> readers) {
    var config = normalized(api.runtimeConfig());
    boolean coordinated = api.enabled("EnableCoordinatedDiscoveryDocument", true);
    var types =
        BuiltInTypes.all(
            eventTimeToLive,
            type ->
                served(type, config) && (coordinated || !type.kind().group().equals(COORDINATION)),
            readers);
    check(types, config);
    return Types.of(types);
  }

  /** Older names of the core group's versions, and one that means nothing any more. */
  private static Map<String, Boolean> normalized(Map<String, Boolean> config) {
    var normalized = new TreeMap<String, Boolean>();
    config.forEach(
        (key, enabled) -> {
          if (!key.equals(PREFIX + "legacy")) {
            boolean core = key.equals("api/v1") || key.startsWith("api/v1/");
            normalized.put(core ? key.substring(PREFIX.length()) : key, enabled);
          }
        });
    return normalized;
  }

  /** The most special setting counts: the resource's, the version's, the level's, all. */
  private static boolean served(ResourceType type, Map<String, Boolean> config) {
    var version = type.groupVersion().toString();
    for (var key :
        new String[] {
          version + "/" + type.plural(), version, PREFIX + level(type.groupVersion()), "api/all"
        }) {
      var setting = config.get(key);
      if (setting != null) {
        return setting;
      }
    }
    return true;
  }

  private static String level(GroupVersion version) {
    return version.version().contains("alpha")
        ? "alpha"
        : version.version().contains("beta") ? "beta" : "ga";
  }

  private static void check(List<ServedType> known, Map<String, Boolean> config) {
    if (config.size() == 1 && Boolean.FALSE.equals(config.get("api/all"))) {
      throw new IllegalArgumentException("--runtime-config: invalid key with only api/all=false");
    }
    var groups = known.stream().map(type -> type.kind().group()).collect(Collectors.toSet());
    var unknown = new TreeSet<String>();
    for (var key : config.keySet()) {
      if (key.startsWith(PREFIX)) {
        if (!key.matches("api/(all|ga|beta|alpha)")) {
          throw new IllegalArgumentException("--runtime-config: unknown key " + key);
        }
        continue;
      }
      int slash = key.indexOf('/');
      var group = slash < 0 ? "" : key.substring(0, slash);
      if (slash < 0 && !key.matches("v[0-9].*")) {
        throw new IllegalArgumentException("--runtime-config: " + key + " is not a version");
      }
      boolean core = group.matches("v[0-9][a-z0-9]*");
      if (!core && !groups.contains(group)) {
        unknown.add(group);
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "--runtime-config: unknown api groups " + String.join(",", unknown));
    }
  }
}
