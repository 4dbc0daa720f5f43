package dev.muster.controllers.client;

import dev.muster.model.FileProblems;
import dev.muster.pki.Pem;
import dev.muster.pki.PemFiles;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig file that is checked before a client is created from it. Clients say little about
 * what is wrong with a file, and use a default server where it names none.
 *
 * <p>All failures are {@link IllegalArgumentException}s whose message is one line that names the
 * file.
 */
public final class Kubeconfig {
  private final Path file;
  private final Config config;

  private Kubeconfig(Path file, Config config) {
    this.file = file;
    this.config = config;
  }

  public static Kubeconfig read(Path file) {
    if (!Files.exists(file)) {
      throw new IllegalArgumentException(file + " does not exist");
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + " is a folder");
    }
    var parsed = isBlank(file) ? null : parsed(file);
    if (parsed == null) {
      throw new IllegalArgumentException(file + " is empty");
    }
    var read = new Kubeconfig(file, parsed);
    if (read.contexts().isEmpty()) {
      throw new IllegalArgumentException(file + " has no contexts");
    }
    return read;
  }

  /** Whether the file contains only comments. */
  private static boolean isBlank(Path file) {
    try {
      return Files.readString(file)
          .lines()
          .allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not a kubeconfig: it is not text", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(FileProblems.text(file, e), e);
    }
  }

  /** The content of the file; null when it is empty. */
  private static @Nullable Config parsed(Path file) {
    try {
      return KubeConfigUtils.parseConfig(file.toFile());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(file + " is not a kubeconfig", e);
    }
  }

  public Path file() {
    return file;
  }

  /** The names of the contexts, the current one first. */
  public List<String> contexts() {
    Set<String> names = new LinkedHashSet<>();
    var current = currentContext();
    if (!current.isEmpty()) {
      names.add(current);
    }
    for (var context : config.getContexts()) {
      if (context != null && context.getName() != null) {
        names.add(context.getName());
      }
    }
    return List.copyOf(names);
  }

  /** The current context, or "". */
  public String currentContext() {
    return Objects.requireNonNullElse(config.getCurrentContext(), "");
  }

  /** Checks that a context has a server and that the files that it needs exist. */
  public void check(String name) {
    var context = context(name);
    var clusterName = context == null ? null : context.getCluster();
    if (context == null || clusterName == null || clusterName.isEmpty()) {
      throw wrong("has no context " + name + " that names a cluster");
    }
    var cluster = cluster(clusterName);
    var server = cluster == null ? null : cluster.getServer();
    if (cluster == null || server == null || server.isEmpty()) {
      throw wrong("has no server for the cluster " + clusterName + " of context " + name);
    }
    if (!isHttpUrl(server)) {
      throw wrong("has no http or https URL for the cluster " + clusterName + ": " + server);
    }
    checkFile(cluster.getCertificateAuthority());
    certificates(
        "certificate-authority",
        cluster.getCertificateAuthority(),
        cluster.getCertificateAuthorityData());
    for (var user : config.getUsers()) {
      if (user != null
          && user.getUser() != null
          && Objects.equals(user.getName(), context.getUser())) {
        checkFile(user.getUser().getTokenFile());
        checkIdentity(user.getUser());
      }
    }
  }

  private void checkIdentity(AuthInfo user) {
    checkFile(user.getClientCertificate());
    checkFile(user.getClientKey());
    var chain =
        certificates(
            "client-certificate", user.getClientCertificate(), user.getClientCertificateData());
    var key = pem("client-key", user.getClientKey(), user.getClientKeyData());
    if (key != null) {
      try {
        var pair = Pem.keyPair(key);
        if (!chain.isEmpty() && !PemFiles.belongTogether(chain.getFirst(), pair)) {
          throw new IllegalArgumentException("is not the key of the certificate");
        }
      } catch (IllegalArgumentException e) {
        throw wrong("has " + field("client-key", user.getClientKeyData()) + ": " + e.getMessage());
      }
    }
  }

  private List<X509Certificate> certificates(
      String field, @Nullable String name, @Nullable String data) {
    var pem = pem(field, name, data);
    if (pem == null) {
      return List.of();
    }
    try {
      var found = Pem.certificates(pem);
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      throw wrong("has " + field(field, data) + ": " + e.getMessage());
    }
    throw wrong("has " + field(field, data) + ": holds no certificate");
  }

  /** The content of a field, or of the file that it names; null when there is none. */
  private @Nullable String pem(String field, @Nullable String name, @Nullable String data) {
    if (data != null && !data.isEmpty()) {
      try {
        return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
      } catch (IllegalArgumentException e) {
        throw wrong("has " + field(field, data) + ": not base64");
      }
    }
    return name == null || name.isEmpty()
        ? null
        : Pem.read(file.toAbsolutePath().resolveSibling(name));
  }

  private static String field(String name, @Nullable String data) {
    return data == null || data.isEmpty() ? name : name + "-data";
  }

  private @Nullable Context context(String name) {
    return config.getContexts().stream()
        .filter(context -> context != null && name.equals(context.getName()))
        .map(NamedContext::getContext)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Cluster cluster(String name) {
    for (var cluster : config.getClusters()) {
      if (cluster != null && name.equals(cluster.getName())) {
        return cluster.getCluster();
      }
    }
    return null;
  }

  private static boolean isHttpUrl(String text) {
    try {
      var uri = URI.create(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Relative names are relative to the kubeconfig. */
  private void checkFile(@Nullable String name) {
    if (name != null && !name.isEmpty()) {
      var named = file.toAbsolutePath().resolveSibling(name);
      if (!Files.isReadable(named)) {
        throw wrong("names " + named + ", which cannot be read");
      }
    }
  }

  private IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException(file + " " + problem);
  }
}
