package dev.muster.bench.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The server and the credentials that one context of a kubeconfig file names. Certificates and keys
 * are PEM.
 */
public record BenchTarget(
    URI server,
    byte @Nullable [] authority,
    byte @Nullable [] certificate,
    byte @Nullable [] key,
    @Nullable String token,
    @Nullable String serverName,
    boolean insecure) {

  /**
   * Reads a file.
   *
   * @param context null for the file's current context
   * @throws BenchFailure when the file does not name a server and credentials that we can use
   */
  public static BenchTarget read(Path file, @Nullable String context) {
    Object root;
    try {
      root =
          new Yaml(new SafeConstructor(new LoaderOptions()))
              .load(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new BenchFailure(file + " cannot be read: " + e.getMessage(), e);
    } catch (YAMLException e) {
      throw new BenchFailure(file + " is not YAML", e);
    }
    if (!(root instanceof Map<?, ?> config)) {
      throw new BenchFailure(file + " is not a kubeconfig file");
    }
    var reader = new Reader(file.toAbsolutePath().getParent());
    var chosen = context != null ? context : text(config, "current-context");
    if (chosen == null) {
      throw new BenchFailure(file + " has no current context");
    }
    var names = named(file, config, "contexts", "context", chosen);
    var cluster = named(file, config, "clusters", "cluster", text(names, "cluster"));
    var user = named(file, config, "users", "user", text(names, "user"));
    var server = text(cluster, "server");
    if (server == null) {
      throw new BenchFailure(file + " names no server");
    }
    if (user.containsKey("exec") || user.containsKey("auth-provider")) {
      throw new BenchFailure(
          file + ": credential plugins are not supported; use a certificate or a token");
    }
    var tokenFile = reader.bytes(user, "token-data", "tokenFile");
    return new BenchTarget(
        url(file, server),
        reader.bytes(cluster, "certificate-authority-data", "certificate-authority"),
        reader.bytes(user, "client-certificate-data", "client-certificate"),
        reader.bytes(user, "client-key-data", "client-key"),
        tokenFile == null
            ? text(user, "token")
            : new String(tokenFile, StandardCharsets.UTF_8).strip(),
        text(cluster, "tls-server-name"),
        Boolean.TRUE.equals(cluster.get("insecure-skip-tls-verify")));
  }

  /** This server, asked by somebody else. */
  public BenchTarget withToken(String other) {
    return new BenchTarget(server, authority, null, null, other, serverName, insecure);
  }

  private static URI url(Path file, String server) {
    try {
      return new URI(server);
    } catch (URISyntaxException e) {
      throw new BenchFailure(file + ": the server " + server + " is not a URL", e);
    }
  }

  private static Map<?, ?> named(
      Path file, Map<?, ?> config, String list, String field, @Nullable String name) {
    if (config.get(list) instanceof List<?> entries) {
      for (var entry : entries) {
        if (entry instanceof Map<?, ?> map
            && String.valueOf(map.get("name")).equals(name)
            && map.get(field) instanceof Map<?, ?> value) {
          return value;
        }
      }
    }
    throw new BenchFailure(file + ": no " + field + " is named \"" + name + "\"");
  }

  private static @Nullable String text(Map<?, ?> map, String key) {
    return map.get(key) instanceof String text && !text.isEmpty() ? text : null;
  }

  /** Finds what stands in the file itself, or in another one beside it. */
  private record Reader(@Nullable Path folder) {
    byte @Nullable [] bytes(Map<?, ?> map, String dataKey, String fileKey) {
      var data = text(map, dataKey);
      if (data != null) {
        return Base64.getMimeDecoder().decode(data);
      }
      var name = text(map, fileKey);
      if (name == null) {
        return null;
      }
      try {
        return Files.readAllBytes(folder == null ? Path.of(name) : folder.resolve(name));
      } catch (IOException e) {
        throw new BenchFailure(fileKey + " " + name + " cannot be read", e);
      }
    }
  }
}
