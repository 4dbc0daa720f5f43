package dev.muster.server.flags;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses flags whose values map names to booleans. */
final class BooleanMaps {
  private static final String COMPONENT = "kube";
  private static final Set<String> WHOLE_LEVELS =
      Set.of("api/all", "api/ga", "api/beta", "api/alpha");

  private BooleanMaps() {}

  /** {@code Name=true} or {@code kube:Name=true}; all entries must use the same form. */
  static Map<String, Boolean> featureGates(String flag, List<String> texts) {
    var gates = new LinkedHashMap<String, Boolean>();
    boolean bare = false;
    boolean prefixed = false;
    for (var pair : pairs(texts)) {
      int colon = pair.indexOf(':');
      var component = colon < 0 ? "" : pair.substring(0, colon).strip();
      bare |= component.isEmpty();
      prefixed |= component.equals(COMPONENT);
      if (!component.isEmpty() && !component.equals(COMPONENT)) {
        throw new FlagException("--" + flag + ": component not registered: " + component);
      }
      var assignment = pair.substring(colon + 1);
      int equals = assignment.indexOf('=');
      var name = (equals < 0 ? assignment : assignment.substring(0, equals)).strip();
      if (equals < 0) {
        throw new FlagException("--" + flag + ": missing bool value for " + name);
      }
      gates.put(name, GoBoolean.parse(flag, assignment.substring(equals + 1).strip()));
    }
    if (bare && prefixed) {
      throw new FlagException(
          "--" + flag + ": give all gates the prefix " + COMPONENT + ": or none of them");
    }
    return gates;
  }

  /** {@code key=true}, or a key alone, which means true unless it stands for many versions. */
  static Map<String, Boolean> runtimeConfig(String flag, List<String> texts) {
    var config = new LinkedHashMap<String, Boolean>();
    for (var pair : pairs(texts)) {
      int equals = pair.indexOf('=');
      var key = (equals < 0 ? pair : pair.substring(0, equals)).strip();
      var value = equals < 0 ? "" : pair.substring(equals + 1).strip();
      if (WHOLE_LEVELS.contains(key) && !value.equals("true") && !value.equals("false")) {
        throw new FlagException("--" + flag + ": invalid value " + key + "=" + value);
      }
      config.put(key, value.isEmpty() || GoBoolean.parse(flag, value));
    }
    return config;
  }

  private static List<String> pairs(List<String> texts) {
    return texts.stream()
        .flatMap(text -> List.of(text.split(",")).stream())
        .filter(pair -> !pair.isEmpty())
        .toList();
  }
}
