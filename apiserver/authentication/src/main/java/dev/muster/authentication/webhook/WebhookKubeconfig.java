package dev.muster.authentication.webhook;

import dev.muster.model.FileProblems;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookCredentials;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;

/**
 * Reads the address and credentials of a webhook from a kubeconfig file: the cluster and user of
 * its current context. Settings that this server does not support are refused.
 */
public final class WebhookKubeconfig {
  private static final List<String> UNKNOWN_OF_USERS =
      List.of("exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra");

  private final Path file;
  private final JsonObject content;

  private WebhookKubeconfig(Path file, JsonObject content) {
    this.file = file;
    this.content = content;
  }

  /**
   * @param name of the webhook
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static WebhookClient read(String name, Path file) {
    return new WebhookKubeconfig(file, document(file)).client(name, WebhookAddress::chosenUrl);
  }

  /**
   * A webhook that only receives data and decides nothing; it may be without TLS at any address.
   *
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static WebhookClient readReceiver(Path file) {
    return new WebhookKubeconfig(file, document(file)).client("receiver", WebhookAddress::anyUrl);
  }

  /**
   * The credentials for webhooks, by user name.
   *
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static WebhookUsers users(Path file) {
    return new WebhookKubeconfig(file, document(file)).users();
  }

  private WebhookUsers users() {
    var users = new HashMap<String, WebhookCredentials>();
    for (var entry : content.array("users").objects()) {
      users.put(entry.string("name"), shown(entry.object("user")));
    }
    var current = content.string("current-context");
    var user = current.isEmpty() ? "" : named("contexts", "context", current).string("user");
    var others = user.isEmpty() ? null : users.get(user);
    return new WebhookUsers(users, others == null ? WebhookCredentials.NONE : others);
  }

  private WebhookCredentials shown(JsonObject user) {
    checkUser(user);
    return credentials(user, "", false);
  }

  private void checkUser(JsonObject user) {
    for (var field : UNKNOWN_OF_USERS) {
      if (user.has(field)) {
        throw wrong(field + " is not supported");
      }
    }
  }

  private static JsonObject document(Path file) {
    try {
      if (YamlReader.read(Files.readAllBytes(file)) instanceof JsonObject object) {
        return object;
      }
      throw new IllegalArgumentException(file + ": not a kubeconfig");
    } catch (IOException e) {
      throw new IllegalArgumentException("unable to read it: " + FileProblems.text(file, e), e);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("error loading config file \"" + file + "\": " + e.text());
    }
  }

  private interface UrlReader {
    WebhookAddress read(String url) throws WebhookException;
  }

  private WebhookClient client(String name, UrlReader urls) {
    var current = content.string("current-context");
    if (current.isEmpty()) {
      throw wrong("no current-context is set");
    }
    var context = named("contexts", "context", current);
    var cluster = named("clusters", "cluster", context.string("cluster"));
    var user =
        context.string("user").isEmpty()
            ? JsonObject.EMPTY
            : named("users", "user", context.string("user"));
    if (!cluster.string("proxy-url").isEmpty()) {
      throw wrong("proxy-url is not supported");
    }
    checkUser(user);
    var authorities = pem(cluster, "certificate-authority");
    boolean trusting = cluster.isTrue("insecure-skip-tls-verify");
    if (trusting && !authorities.isEmpty()) {
      throw wrong("specifying a root certificates file with the insecure flag is not allowed");
    }
    try {
      return new WebhookClient(
          name,
          urls.read(cluster.string("server")),
          authorities,
          credentials(user, cluster.string("tls-server-name"), trusting));
    } catch (WebhookException e) {
      throw wrong("server: " + e.text());
    }
  }

  private WebhookCredentials credentials(JsonObject user, String serverName, boolean trusting) {
    var certificate = pem(user, "client-certificate");
    var key = pem(user, "client-key");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw wrong("client-certificate and client-key go together");
    }
    if (!certificate.isEmpty()) {
      try {
        Pem.privateKey(key);
        if (Pem.certificates(certificate).isEmpty()) {
          throw wrong("client-certificate holds no certificate");
        }
      } catch (RuntimeException e) {
        throw wrong("client-certificate or client-key cannot be read: " + e.getMessage());
      }
    }
    return new WebhookCredentials(authorization(user), certificate, key, serverName, trusting);
  }

  private String authorization(JsonObject user) {
    var token =
        user.string("tokenFile").isEmpty()
            ? user.string("token")
            : text(file.resolveSibling(user.string("tokenFile"))).strip();
    var name = user.string("username");
    if (!token.isEmpty()) {
      if (token.chars().anyMatch(c -> c < ' ')) {
        throw wrong("the token cannot stand in a header");
      }
      return "Bearer " + token;
    }
    return name.isEmpty() && user.string("password").isEmpty()
        ? ""
        : "Basic "
            + Base64.getEncoder()
                .encodeToString(
                    (name + ":" + user.string("password")).getBytes(StandardCharsets.UTF_8));
  }

  private JsonObject named(String list, String field, String name) {
    for (var entry : content.array(list).objects()) {
      if (entry.string("name").equals(name)) {
        return entry.object(field);
      }
    }
    throw wrong(field + " " + GoText.quote(name) + " does not exist");
  }

  /** The content of the file that a field names, or of the field with the suffix {@code -data}. */
  private String pem(JsonObject holder, String field) {
    var data = holder.string(field + "-data");
    if (!data.isEmpty()) {
      try {
        return new String(Base64.getDecoder().decode(data), StandardCharsets.ISO_8859_1);
      } catch (IllegalArgumentException e) {
        throw wrong(field + "-data: not base64");
      }
    }
    var path = holder.string(field);
    return path.isEmpty() ? "" : text(file.resolveSibling(path));
  }

  private String text(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw wrong(FileProblems.text(path, e));
    }
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("kubeconfig " + file + ": invalid configuration: " + why);
  }
}
