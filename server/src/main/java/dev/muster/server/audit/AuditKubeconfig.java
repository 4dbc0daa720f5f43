package dev.muster.server.audit;

import dev.muster.access.pki.Pem;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the current context of a kubeconfig says. Immutable.
 *
 * @param authorities who may have signed the server's certificate; empty for those of this machine
 * @param serverName that the certificate has to be for; "" for the host of the URL
 * @param token of the user; "" for none
 * @param tokenFile with a token that may change; null for none
 * @param basic user name and password with a colon between; "" for none
 * @param certificates of the client; empty for none
 * @param key of the client; null for none
 */
record AuditKubeconfig(
    URI server,
    List<X509Certificate> authorities,
    String serverName,
    boolean insecure,
    String token,
    @Nullable Path tokenFile,
    String basic,
    List<X509Certificate> certificates,
    @Nullable PrivateKey key) {
  private static final Set<String> UNSUPPORTED_USER = Set.of("exec", "auth-provider");

  /**
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  static AuditKubeconfig read(Path file) {
    try {
      return new Reader(file.toAbsolutePath()).read();
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": " + e, e);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(file + ": " + e.text(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** The token to show now; "" for none. */
  String tokenNow() throws IOException {
    var file = tokenFile;
    return file == null ? token : Files.readString(file).strip();
  }

  /** Belongs to one thread. Reads one file, to whose folder the names in it are relative. */
  private record Reader(Path file) {
    AuditKubeconfig read() throws IOException {
      if (!(YamlReader.read(Files.readAllBytes(file)) instanceof JsonObject config)) {
        throw new IllegalArgumentException("the file holds no object");
      }
      var current = config.string("current-context");
      var context = named(config, "contexts", current).object("context");
      var cluster = named(config, "clusters", context.string("cluster")).object("cluster");
      var user =
          context.string("user").isEmpty()
              ? JsonObject.EMPTY
              : named(config, "users", context.string("user")).object("user");
      for (var key : UNSUPPORTED_USER) {
        if (user.has(key)) {
          throw new IllegalArgumentException("users: " + key + " is not supported");
        }
      }
      if (!cluster.string("proxy-url").isEmpty()) {
        throw new IllegalArgumentException("clusters: proxy-url is not supported");
      }
      var authorities = data(cluster, "certificate-authority");
      boolean insecure = cluster.isTrue("insecure-skip-tls-verify");
      if (insecure && !authorities.isEmpty()) {
        throw new IllegalArgumentException(
            "specifying a root certificates file with the insecure flag is not allowed");
      }
      var certificates = data(user, "client-certificate");
      var key = data(user, "client-key");
      if (certificates.isEmpty() != key.isEmpty()) {
        throw new IllegalArgumentException(
            "users: client-certificate and client-key must be given together");
      }
      var tokenFile = user.string("tokenFile");
      var name = user.string("username");
      return new AuditKubeconfig(
          server(cluster.string("server")),
          authorities.isEmpty() ? List.of() : Pem.certificates(authorities),
          cluster.string("tls-server-name"),
          insecure,
          user.string("token"),
          tokenFile.isEmpty() ? null : file.resolveSibling(tokenFile),
          name.isEmpty() ? "" : name + ":" + user.string("password"),
          certificates.isEmpty() ? List.of() : Pem.certificates(certificates),
          key.isEmpty() ? null : Pem.privateKey(key));
    }

    private static JsonObject named(JsonObject config, String list, String name) {
      for (var entry : config.array(list).objects()) {
        if (entry.string("name").equals(name) && !name.isEmpty()) {
          return entry;
        }
      }
      throw new IllegalArgumentException(
          "invalid configuration: no entry " + GoText.quote(name) + " in " + list);
    }

    private static URI server(String text) {
      var uri = URI.create(text);
      boolean http = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      if (!http || uri.getHost() == null) {
        throw new IllegalArgumentException(
            "clusters: server must be an http or https URL and is " + GoText.quote(text));
      }
      return uri;
    }

    /** What stands there in base64, or in a file of its own; "" for neither. */
    private String data(JsonObject holder, String key) throws IOException {
      var inline = holder.string(key + "-data");
      if (!inline.isEmpty()) {
        return new String(Base64.getDecoder().decode(inline), StandardCharsets.UTF_8);
      }
      var name = holder.string(key);
      return name.isEmpty() ? "" : Files.readString(file.resolveSibling(name));
    }
  }
}
