package dev.muster.controllers.client;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials in a kubeconfig and the files that it names, for a running client. The files are
 * checked at most once a second and read only after a change, so that tokens and certificates can
 * be renewed. Files that become invalid leave the former credentials in use. Thread-safe, guarded
 * by its own lock.
 */
final class RenewedCredentials implements OAuthTokenProvider {
  private static final Logger log = LoggerFactory.getLogger(RenewedCredentials.class);
  private static final long LOOK_NANOS = 1_000_000_000L;

  /**
   * The content of the files.
   *
   * @param token "" for none
   * @param keys null when there is no certificate
   * @param files all files that were read
   */
  record Credentials(String token, @Nullable X509KeyManager keys, List<Path> files) {}

  /** The attributes of a file that show a change. */
  private record Stamp(long modified, long size, String key) {
    private static final Stamp NONE = new Stamp(0, -1, "");

    static Stamp of(Path file) {
      try {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            attributes.lastModifiedTime().toMillis(),
            attributes.size(),
            String.valueOf(attributes.fileKey()));
      } catch (IOException e) {
        return NONE;
      }
    }
  }

  private final Supplier<Credentials> reader;
  private final LongSupplier nanoTime;
  private Credentials current;
  private List<Stamp> stamps;
  private long looked;

  /**
   * @param reader reads the files
   */
  RenewedCredentials(Supplier<Credentials> reader, LongSupplier nanoTime) {
    this.reader = reader;
    this.nanoTime = nanoTime;
    this.current = reader.get();
    this.stamps = stamps(current);
    this.looked = nanoTime.getAsLong();
  }

  /**
   * The credentials of the current context; empty when it uses an exec plugin or an auth provider.
   */
  static Optional<RenewedCredentials> of(Path kubeconfig) {
    var user = user(kubeconfig);
    boolean asks = user != null && (user.getExec() != null || user.getAuthProvider() != null);
    return user == null || asks
        ? Optional.empty()
        : Optional.of(new RenewedCredentials(() -> read(kubeconfig), System::nanoTime));
  }

  private static @Nullable AuthInfo user(Path kubeconfig) {
    var config = KubeConfigUtils.parseConfig(kubeconfig.toFile());
    var name =
        config.getContexts().stream()
            .filter(context -> Objects.equals(context.getName(), config.getCurrentContext()))
            .map(context -> context.getContext().getUser())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse("");
    return config.getUsers().stream()
        .filter(user -> name.equals(user.getName()))
        .map(user -> user.getUser())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Credentials read(Path kubeconfig) {
    var user = Objects.requireNonNull(user(kubeconfig), "the user is gone");
    var config = Config.fromKubeconfig(kubeconfig.toFile());
    var files = new ArrayList<Path>();
    files.add(kubeconfig);
    for (var named :
        Arrays.asList(user.getTokenFile(), user.getClientCertificate(), user.getClientKey())) {
      if (named != null && !named.isEmpty()) {
        files.add(kubeconfig.toAbsolutePath().resolveSibling(named));
      }
    }
    try {
      var keys =
          Arrays.stream(Objects.requireNonNullElse(SSLUtils.keyManagers(config), new Object[0]))
              .filter(X509KeyManager.class::isInstance)
              .map(X509KeyManager.class::cast)
              .findFirst()
              .orElse(null);
      return new Credentials(token(kubeconfig, user), keys, List.copyOf(files));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A token file takes precedence over a token in the kubeconfig. */
  private static String token(Path kubeconfig, AuthInfo user) throws IOException {
    var file = user.getTokenFile();
    return file == null || file.isEmpty()
        ? Objects.requireNonNullElse(user.getToken(), "")
        : Files.readString(kubeconfig.toAbsolutePath().resolveSibling(file)).strip();
  }

  private static List<Stamp> stamps(Credentials credentials) {
    return credentials.files().stream().map(Stamp::of).toList();
  }

  synchronized Credentials now() {
    long now = nanoTime.getAsLong();
    if (now - looked < LOOK_NANOS) {
      return current;
    }
    looked = now;
    var found = stamps(current);
    if (!found.equals(stamps)) {
      stamps = found;
      try {
        current = reader.get();
        stamps = stamps(current);
      } catch (RuntimeException e) {
        log.warn("{} cannot be used: {}", current.files().getFirst(), e.toString());
      }
    }
    return current;
  }

  @Override
  public String getToken() {
    return now().token();
  }
}
