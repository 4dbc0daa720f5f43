package dev.muster.access.admission;

import dev.muster.access.webhook.RenewedKubeconfig;
import dev.muster.access.webhook.WebhookKubeconfig;
import dev.muster.access.webhook.WebhookUsers;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What {@code --admission-control-config-file} says about plugins, by their names. Immutable.
 *
 * @param plugins the configurations
 */
public record AdmissionConfiguration(Map<String, JsonObject> plugins) {
  /** Nothing is said about any plugin. */
  public static final AdmissionConfiguration NONE = new AdmissionConfiguration(Map.of());

  private static final Set<String> VERSIONS =
      Set.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1");

  private static final Set<String> WEBHOOK_VERSIONS =
      Set.of("apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1");
  private static final String KUBECONFIG = "kubeConfigFile";

  public AdmissionConfiguration {
    plugins = Map.copyOf(plugins);
  }

  /**
   * Reads the file, and those that it refers to.
   *
   * @throws IllegalArgumentException with the flag's name when it cannot be used
   */
  public static AdmissionConfiguration read(Path file) {
    var configuration = document(file);
    only(configuration, Set.of("apiVersion", "kind", "plugins"), file.toString());
    if (!VERSIONS.contains(configuration.string("apiVersion"))
        || !configuration.string("kind").equals("AdmissionConfiguration")) {
      throw wrong(
          "no kind %s is registered for version %s"
              .formatted(
                  GoText.quote(configuration.string("kind")),
                  GoText.quote(configuration.string("apiVersion"))));
    }
    var plugins = new HashMap<String, JsonObject>();
    var entries = configuration.array("plugins").objects();
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      only(entry, Set.of("name", "path", "configuration"), "plugins[" + i + "]");
      if (plugins.put(entry.string("name"), ofPlugin(entry, file)) != null) {
        throw wrong("plugins[" + i + "].name: " + entry.string("name") + " stands there twice");
      }
    }
    return new AdmissionConfiguration(plugins);
  }

  private static JsonObject ofPlugin(JsonObject entry, Path file) {
    var path = entry.string("path");
    if (entry.get("configuration") instanceof JsonObject inline) {
      return located(inline, file);
    }
    var other = file.resolveSibling(path);
    return path.isEmpty() ? JsonObject.EMPTY : located(document(other), other);
  }

  /** A file that it names is beside the one in which its name stands. */
  private static JsonObject located(JsonObject configuration, Path file) {
    var named = configuration.string(KUBECONFIG);
    return named.isEmpty()
        ? configuration
        : configuration.with(KUBECONFIG, file.toAbsolutePath().resolveSibling(named).toString());
  }

  private static JsonObject document(Path file) {
    try {
      if (YamlReader.read(Files.readAllBytes(file)) instanceof JsonObject object) {
        return object;
      }
      throw wrong(file + " holds no object");
    } catch (IOException e) {
      throw wrong("unable to read " + file + ": " + e);
    } catch (DecodeException e) {
      throw wrong(file + ": " + e.text());
    }
  }

  /**
   * Refuses what nobody looks at.
   *
   * @throws IllegalArgumentException for a field that is not known
   */
  static void only(JsonObject object, Set<String> known, String where) {
    for (int i = 0; i < object.size(); i++) {
      if (!known.contains(object.key(i))) {
        throw wrong(where + ": unknown field " + GoText.quote(object.key(i)));
      }
    }
  }

  static IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException("--admission-control-config-file: " + problem);
  }

  /**
   * What webhooks are shown that such a plugin asks, which is read again now and then.
   *
   * @throws IllegalArgumentException when the configuration cannot be used
   */
  Supplier<WebhookUsers> webhookUsers(String plugin, InstantSource clock) {
    var configuration = plugins.get(plugin);
    if (configuration == null || configuration.equals(JsonObject.EMPTY)) {
      return () -> WebhookUsers.NONE;
    }
    only(configuration, Set.of("apiVersion", "kind", KUBECONFIG), plugin);
    if (!WEBHOOK_VERSIONS.contains(configuration.string("apiVersion"))
        || !List.of("WebhookAdmission", "WebhookAdmissionConfiguration")
            .contains(configuration.string("kind"))) {
      throw wrong(plugin + ": the configuration is no WebhookAdmissionConfiguration");
    }
    var file = configuration.string(KUBECONFIG);
    try {
      return file.isEmpty()
          ? () -> WebhookUsers.NONE
          : new RenewedKubeconfig<>(Path.of(file), WebhookKubeconfig::users, clock);
    } catch (IllegalArgumentException e) {
      throw wrong(plugin + ": " + e.getMessage());
    }
  }

  /** What is said about a plugin. */
  Optional<JsonObject> of(String plugin) {
    return Optional.ofNullable(plugins.get(plugin));
  }
}
