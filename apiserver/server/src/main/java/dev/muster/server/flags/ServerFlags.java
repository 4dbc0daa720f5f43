package dev.muster.server.flags;

import dev.muster.server.options.ApiServerOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parsed flags of an API server: its options, and log lines about them. */
public record ServerFlags(ApiServerOptions options, List<String> remarks) {

  /**
   * Parses arguments such as {@code --event-ttl=5m} by the names of the flags.
   *
   * @throws FlagException naming the first argument that is not a flag of an API server
   */
  public static Map<String, List<String>> parse(List<String> arguments) {
    var kinds =
        Stream.of(
                RecordFlags.of(ApiServerOptions.defaults()).definitions(), UpstreamFlags.accepted())
            .flatMap(List::stream)
            .collect(
                Collectors.toMap(
                    FlagDefinition::name,
                    flag -> flag.isBoolean() ? GoArguments.Kind.BOOLEAN : GoArguments.Kind.VALUE));
    var given = new LinkedHashMap<String, List<String>>();
    for (var argument : GoArguments.normalize(arguments, kinds::get)) {
      int equals = argument.indexOf('=');
      // A known flag has two dashes and a value after normalization.
      var name = argument.startsWith("--") && equals > 0 ? argument.substring(2, equals) : "";
      if (!kinds.containsKey(name)) {
        throw new FlagException("unknown flag: " + argument);
      }
      given.computeIfAbsent(name, ignored -> new ArrayList<>()).add(argument.substring(equals + 1));
    }
    return given;
  }

  /**
   * Applies the given flags to the defaults. Names of other flags are ignored.
   *
   * @throws FlagException naming the first flag with a bad value
   */
  public static ServerFlags read(Map<String, List<String>> given, ApiServerOptions defaults) {
    var options = RecordFlags.of(defaults).read(given);
    UpstreamFlags.check(given);
    var remarks = new ArrayList<>(UpstreamFlags.remarks(given.keySet()));
    checkPlugins("enable-admission-plugins", options.admission().enabled());
    checkPlugins("disable-admission-plugins", options.admission().disabled());
    AuthenticationFlags.check(given, options);
    FeatureGates.check(options.api().featureGates());
    remarks.addAll(FeatureGates.remarks(options.api().featureGates()));
    checkAuthorization(given);
    return new ServerFlags(options, List.copyOf(remarks));
  }

  /** An authorization configuration file excludes the other flags of authorization. */
  private static void checkAuthorization(Map<String, List<String>> given) {
    boolean others =
        given.keySet().stream()
            .anyMatch(
                flag ->
                    flag.equals("authorization-mode") || flag.startsWith("authorization-webhook-"));
    if (others && !given.getOrDefault("authorization-config", List.of("")).getLast().isEmpty()) {
      throw new FlagException(
          "--authorization-config can not be specified when --authorization-mode or"
              + " --authorization-webhook-* flags are defined");
    }
  }

  private static void checkPlugins(String flag, List<String> plugins) {
    if (plugins.isEmpty()) {
      return;
    }
    var known = KnownNames.admissionPlugins();
    for (var plugin : plugins) {
      if (!known.contains(plugin)) {
        throw new FlagException("--" + flag + ": unknown admission plugin \"" + plugin + "\"");
      }
    }
  }
}
