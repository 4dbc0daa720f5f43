package dev.muster.access.webhook;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookIdentity;
import dev.muster.wire.DecodeException;
import dev.muster.wire.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that a kubeconfig describes: the cluster and the user of its current context. Safe for
 * any thread; reads files now and then, so that tokens and certificates can be renewed.
 */
public final class KubeconfigClient {
  private static final Logger log = LoggerFactory.getLogger(KubeconfigClient.class);
  private static final long FRESH_MILLIS = 60_000;

  /** What would be needed to reach the server as the file wants it. */
  private static final List<String> REFUSED_OF_CLUSTER =
      List.of("insecure-skip-tls-verify", "proxy-url", "tls-server-name");

  private static final List<String> REFUSED_OF_USER =
      List.of("exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra");

  private final Path file;
  private final String name;
  private final InstantSource clock;
  private WebhookClient client;
  private long read;

  private KubeconfigClient(Path file, String name, InstantSource clock) {
    this.file = file;
    this.name = name;
    this.clock = clock;
    this.client = read(file, name);
    this.read = clock.millis();
  }

  /**
   * @param name for messages and to count calls
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static KubeconfigClient of(Path file, String name, InstantSource clock) {
    return new KubeconfigClient(file, name, clock);
  }

  /** The server as the files describe it now, or did when they could last be read. */
  public synchronized WebhookClient now() {
    if (clock.millis() - read >= FRESH_MILLIS) {
      read = clock.millis();
      try {
        client = read(file, name);
      } catch (IllegalArgumentException e) {
        log.warn("{} cannot be read any more: {}", file, e.getMessage());
      }
    }
    return client;
  }

  private static WebhookClient read(Path file, String name) {
    var config = document(file);
    var context = named(config, "contexts", config.string("current-context"), "context");
    var cluster = named(config, "clusters", context.string("cluster"), "cluster");
    var user =
        context.string("user").isEmpty()
            ? JsonObject.EMPTY
            : named(config, "users", context.string("user"), "user");
    refuse(cluster, REFUSED_OF_CLUSTER);
    refuse(user, REFUSED_OF_USER);
    try {
      return new WebhookClient(
          name,
          WebhookAddress.of(JsonObject.of("url", cluster.string("server"))),
          given(cluster, "certificate-authority", file),
          new WebhookIdentity(
              given(user, "client-certificate", file),
              given(user, "client-key", file),
              authorization(user, file)));
    } catch (WebhookException e) {
      throw new IllegalArgumentException("server: " + e.text(), e);
    }
  }

  private static JsonObject document(Path file) {
    try {
      if (YamlReader.read(Files.readAllBytes(file)) instanceof JsonObject object) {
        return object;
      }
      throw new IllegalArgumentException(file + " holds no object");
    } catch (IOException e) {
      throw new IllegalArgumentException("unable to read " + file + ": " + e, e);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(file + ": " + e.text(), e);
    }
  }

  private static JsonObject named(JsonObject config, String list, String name, String what) {
    return config.array(list).objects().stream()
        .filter(entry -> entry.string("name").equals(name))
        .findFirst()
        .map(entry -> entry.object(what))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    what + " \"" + name + "\" does not exist in the kubeconfig"));
  }

  private static void refuse(JsonObject object, List<String> fields) {
    for (var field : fields) {
      var value = object.get(field);
      boolean isNothing =
          value == null
              || value.equals(JsonNull.NULL)
              || value.equals(Json.of(""))
              || value.equals(Json.of(false));
      if (!isNothing) {
        throw new IllegalArgumentException(field + " is not supported here");
      }
    }
  }

  /** A text that stands in the file in base64, or in another file; "" when it does not. */
  private static String given(JsonObject object, String field, Path file) {
    var data = object.string(field + "-data");
    if (!data.isEmpty()) {
      try {
        return new String(Base64.getDecoder().decode(data), StandardCharsets.ISO_8859_1);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(field + "-data: not base64", e);
      }
    }
    return content(object.string(field), field, file).orElse("");
  }

  private static Optional<String> content(String path, String field, Path file) {
    if (path.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file.toAbsolutePath().resolveSibling(path)));
    } catch (IOException e) {
      throw new IllegalArgumentException(field + ": unable to read " + path, e);
    }
  }

  private static String authorization(JsonObject user, Path file) {
    var token = content(user.string("tokenFile"), "tokenFile", file).orElse(user.string("token"));
    if (!token.isBlank()) {
      return "Bearer " + token.strip();
    }
    if (user.string("username").isEmpty()) {
      return "";
    }
    var pair = user.string("username") + ":" + user.string("password");
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }
}
