package dev.muster.admission.config;

import dev.muster.admission.images.ImagePolicyConfiguration;
import dev.muster.admission.manifest.ManifestPlugin;
import dev.muster.authentication.webhook.RenewedKubeconfig;
import dev.muster.authentication.webhook.WebhookKubeconfig;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.model.FileProblems;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The content of {@code --admission-control-config-file}: plugin configurations by plugin name.
 * Immutable.
 *
 * @param plugins the configurations
 */
public record AdmissionConfiguration(Map<String, JsonObject> plugins) {
  /** No configuration for any plugin. */
  public static final AdmissionConfiguration NONE = new AdmissionConfiguration(Map.of());

  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "AdmissionConfiguration",
          Set.of("apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1"));

  /** The configuration kind of plugins that call webhooks, by API version. */
  private static final Map<String, String> WEBHOOK_KINDS =
      Map.of(
          "apiserver.config.k8s.io/v1", "WebhookAdmissionConfiguration",
          "apiserver.config.k8s.io/v1alpha1", "WebhookAdmission");

  private static final String KUBECONFIG = "kubeConfigFile";
  private static final String MANIFESTS = "staticManifestsDir";
  private static final String IMAGE_POLICY = "imagePolicy";

  public AdmissionConfiguration {
    plugins = Map.copyOf(plugins);
  }

  /**
   * Reads the file and the files that it refers to.
   *
   * @throws IllegalArgumentException with the flag's name when a file cannot be used
   */
  public static AdmissionConfiguration read(Path file) {
    var configuration = document(file);
    only(configuration, Set.of("apiVersion", "kind", "plugins"), file.toString());
    try {
      KIND.check(configuration, ConfigurationKind.shown(configuration));
    } catch (DecodeException e) {
      throw wrong(e.text());
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

  /** Resolves a file name relative to the file that contains it. */
  private static JsonObject located(JsonObject configuration, Path file) {
    if (configuration.get(IMAGE_POLICY) instanceof JsonObject policy) {
      return configuration.with(IMAGE_POLICY, located(policy, file));
    }
    var named = configuration.string(KUBECONFIG);
    return named.isEmpty()
        ? configuration
        : configuration.with(KUBECONFIG, file.toAbsolutePath().resolveSibling(named).toString());
  }

  private static JsonObject document(Path file) {
    try {
      if (YamlReader.readStrictly(Files.readAllBytes(file)) instanceof JsonObject object) {
        return object;
      }
      throw wrong(file + " holds no object");
    } catch (IOException e) {
      throw wrong("unable to read it: " + FileProblems.text(file, e));
    } catch (DecodeException e) {
      throw wrong(file + ": " + e.text());
    }
  }

  /**
   * Refuses unknown fields.
   *
   * @throws IllegalArgumentException for a field that is not known
   */
  public static void only(JsonObject object, Set<String> known, String where) {
    for (int i = 0; i < object.size(); i++) {
      if (!known.contains(object.key(i))) {
        throw wrong(where + ": unknown field " + GoText.quote(object.key(i)));
      }
    }
  }

  public static IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException("--admission-control-config-file: " + problem);
  }

  /**
   * The credentials for the webhooks of a plugin, which are read again periodically.
   *
   * @throws IllegalArgumentException when the configuration cannot be used
   */
  public Supplier<WebhookUsers> webhookUsers(String plugin, InstantSource clock) {
    var configuration = plugins.get(plugin);
    if (configuration == null || configuration.equals(JsonObject.EMPTY)) {
      return () -> WebhookUsers.NONE;
    }
    only(configuration, Set.of("apiVersion", "kind", KUBECONFIG, MANIFESTS), plugin);
    var kind = WEBHOOK_KINDS.get(configuration.string("apiVersion"));
    if (!configuration.string("kind").equals(kind)) {
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

  /**
   * The manifest folders of plugins.
   *
   * @param allowed whether the feature is enabled
   * @throws IllegalArgumentException when one of them cannot be used
   */
  public Map<ManifestPlugin, Path> manifestFolders(boolean allowed) {
    var folders = new EnumMap<ManifestPlugin, Path>(ManifestPlugin.class);
    for (var plugin : ManifestPlugin.values()) {
      var configuration = plugins.getOrDefault(plugin.pluginName(), JsonObject.EMPTY);
      if (plugin.isPolicy() && !configuration.isEmpty()) {
        checkPolicyConfiguration(plugin.pluginName(), configuration);
      }
      var folder = configuration.string(MANIFESTS);
      if (!folder.isEmpty()) {
        try {
          folders.put(plugin, manifestFolder(folder, allowed));
        } catch (IllegalArgumentException e) {
          throw wrong(plugin.pluginName() + ": " + MANIFESTS + ": " + e.getMessage());
        }
      }
    }
    return folders;
  }

  private static void checkPolicyConfiguration(String plugin, JsonObject configuration) {
    only(configuration, Set.of("apiVersion", "kind", MANIFESTS), plugin);
    if (!configuration.string("apiVersion").equals("apiserver.config.k8s.io/v1")
        || !configuration.string("kind").equals(plugin + "Configuration")) {
      throw wrong(plugin + ": the configuration is no " + plugin + "Configuration");
    }
  }

  private static Path manifestFolder(String folder, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException(
          "Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature"
              + " gate to be enabled");
    }
    var path = Path.of(folder);
    var invalid = "Invalid value: " + GoText.quote(folder) + ": ";
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(invalid + "must be an absolute file path");
    }
    if (!Files.exists(path)) {
      throw new IllegalArgumentException(
          invalid + "unable to read: stat " + folder + ": no such file or directory");
    }
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException(invalid + "must be a directory");
    }
    return path;
  }

  /**
   * The configuration of ImagePolicyWebhook.
   *
   * @throws IllegalArgumentException when it cannot be used
   */
  public ImagePolicyConfiguration imagePolicy() {
    try {
      return ImagePolicyConfiguration.read(of("ImagePolicyWebhook").orElse(JsonObject.EMPTY));
    } catch (IllegalArgumentException e) {
      throw wrong("ImagePolicyWebhook: " + e.getMessage());
    }
  }

  /** The configuration of a plugin. */
  public Optional<JsonObject> of(String plugin) {
    return Optional.ofNullable(plugins.get(plugin));
  }
}
