package dev.muster.server.start;

import dev.muster.model.GroupVersion;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.ResourceType;
import dev.muster.server.options.ApiOptions;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Selects the types that a server serves, by {@code --runtime-config} and feature gates. */
public final class RuntimeConfig {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeConfig.class);
  private static final String PREFIX = "api/";
  private static final Set<String> LEVELS = Set.of("api/all", "api/ga", "api/beta", "api/alpha");

  /** Groups that are served only while a feature gate is enabled. */
  private static final Map<String, String> GATES =
      Map.of(
          "apiservercoordination.k8s.io", "EnableCoordinatedDiscoveryDocument",
          "storagemigration.k8s.io", "StorageVersionMigrator");

  private RuntimeConfig() {}

  /**
   * All built-in types, each marked as served or not.
   *
   * @param readers returns the decoder of the objects under a prefix of the store
   * @throws IllegalArgumentException when the setting names unknown groups
   */
  public static Types types(
      ApiOptions api, Duration eventTimeToLive, Function<String, ObjectDecoder> readers) {
    var config = normalized(api.runtimeConfig());
    var types =
        BuiltInTypes.all(
            eventTimeToLive,
            type -> served(type, config) && isGateOpen(type.kind().group(), api),
            readers);
    check(types, config, api);
    return Types.of(types);
  }

  private static boolean isGateOpen(String group, ApiOptions api) {
    var gate = GATES.get(group);
    return gate == null || api.enabled(gate);
  }

  /**
   * Replaces older names of the core group's versions, and drops {@code api/legacy}, which has no
   * effect.
   */
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

  /** The most specific setting wins: resource, then version, then stability level, then all. */
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
    return BuiltInTypes.isUsual(type);
  }

  private static String level(GroupVersion version) {
    return version.version().contains("alpha")
        ? "alpha"
        : version.version().contains("beta") ? "beta" : "ga";
  }

  private static void check(List<ServedType> types, Map<String, Boolean> config, ApiOptions api) {
    if (config.size() == 1 && Boolean.FALSE.equals(config.get("api/all"))) {
      throw refused("invalid key with only api/all=false");
    }
    var registered = new RegisteredVersions(types);
    var unknown = new TreeSet<String>();
    config.forEach(
        (key, enabled) -> {
          var parts = key.split("/", -1);
          boolean core = parts[0].equals("v1");
          if (LEVELS.contains(key) || key.equals("v1")) {
            return;
          }
          if (parts.length < 2 || parts.length > (core ? 2 : 3)) {
            throw refused("invalid key " + key);
          }
          var groupVersion = core ? "v1" : parts[0] + "/" + parts[1];
          var resource = core ? parts[1] : parts.length == 3 ? parts[2] : "";
          if (!core && !registered.hasGroup(parts[0])) {
            unknown.add(groupVersion);
          } else if (!core && !registered.has(groupVersion)) {
            throw refused("group version " + groupVersion + " that has not been registered");
          } else if (!resource.equals(resource.toLowerCase(Locale.ROOT))) {
            throw refused(
                "invalid key %s: group/version/resource and resource is always lowercase plural, not \"%s\""
                    .formatted(key, resource));
          } else if (enabled && !registered.isHere(groupVersion)) {
            LOG.warn("--runtime-config: nothing of {} is served by this server", groupVersion);
          } else if (enabled && !isGateOpen(parts[0], api)) {
            LOG.warn(
                "--runtime-config: {} is not served without --feature-gates={}=true",
                groupVersion,
                GATES.get(parts[0]));
          }
        });
    if (!unknown.isEmpty()) {
      throw refused("unknown api groups " + String.join(",", unknown));
    }
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("--runtime-config: " + why);
  }
}
