package dev.muster.server.authentication;

import dev.muster.authentication.AnonymousRequests;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.authentication.jwt.AuthenticationConfiguration;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Anonymous;
import dev.muster.authentication.jwt.JwtConfigurationReader;
import dev.muster.authentication.jwt.JwtIssuers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current token issuers. Thread-safe; {@link #authenticate} and {@link #refresh} block.
 *
 * <p>It reloads the configuration file when it changes. A new configuration takes effect when it is
 * valid and all its issuers were discovered; until then the previous one applies. The settings for
 * anonymous requests are read only when the server starts.
 */
public final class JwtConfiguration implements TokenAuthenticator {
  private static final Logger log = LoggerFactory.getLogger(JwtConfiguration.class);

  private final @Nullable Path file;
  private final JwtIssuers.IssuerContext context;
  private final Executor threads;
  private final ReloadMetrics metrics;
  private final @Nullable Anonymous anonymous;
  private volatile JwtIssuers issuers;
  private volatile Runnable changed = () -> {};
  private byte[] content;

  private JwtConfiguration(
      @Nullable Path file,
      byte[] content,
      AuthenticationConfiguration configuration,
      JwtIssuers.IssuerContext context,
      Executor threads,
      ReloadMetrics metrics) {
    this.file = file;
    this.content = content;
    this.anonymous = configuration.anonymous();
    this.context = context;
    this.threads = threads;
    this.metrics = metrics;
    this.issuers = issuers(configuration, context);
  }

  /**
   * The configuration from flags.
   *
   * @throws IllegalArgumentException when it is invalid
   */
  public static JwtConfiguration of(
      AuthenticationConfiguration configuration,
      JwtIssuers.IssuerContext context,
      Executor threads,
      ReloadMetrics metrics) {
    return new JwtConfiguration(null, new byte[0], configuration, context, threads, metrics);
  }

  /**
   * The configuration from a file.
   *
   * @throws IllegalArgumentException when it cannot be read or is invalid
   */
  public static JwtConfiguration of(
      Path file, JwtIssuers.IssuerContext context, Executor threads, ReloadMetrics metrics) {
    byte[] content;
    AuthenticationConfiguration configuration;
    try {
      content = Files.readAllBytes(file);
      configuration = JwtConfigurationReader.read(content);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--authentication-config: failed to load authentication configuration from file \""
              + file
              + "\": "
              + e.getMessage(),
          e);
    }
    var made = new JwtConfiguration(file, content, configuration, context, threads, metrics);
    metrics.applied(content);
    return made;
  }

  private static JwtIssuers issuers(
      AuthenticationConfiguration configuration, JwtIssuers.IssuerContext context) {
    try {
      return JwtIssuers.of(configuration, context);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "invalid authentication configuration: " + e.getMessage(), e);
    }
  }

  /**
   * Which requests without credentials are accepted as anonymous.
   *
   * @param otherwise the setting of the flag, when the file has none
   */
  public AnonymousRequests anonymous(AnonymousRequests otherwise) {
    return anonymous == null
        ? otherwise
        : new AnonymousRequests(anonymous.enabled(), Set.copyOf(anonymous.paths()));
  }

  /** Sets the listener that runs whenever the issuers change. */
  public void onChange(Runnable listener) {
    changed = listener;
  }

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> audiences) {
    return issuers.authenticate(bearerToken, audiences);
  }

  /** Retries the discovery of issuers, and reloads the file if it has changed. */
  public void refresh() {
    issuers.maintain(threads);
    if (file != null) {
      reload(file);
    }
  }

  private synchronized void reload(Path from) {
    byte[] now;
    try {
      now = Files.readAllBytes(from);
    } catch (IOException e) {
      failed("failed to read authentication config file", e);
      return;
    }
    if (Arrays.equals(now, content)) {
      return;
    }
    JwtIssuers next;
    try {
      var configuration = JwtConfigurationReader.read(now);
      next = issuers(configuration, context);
      if (!Objects.equals(anonymous, configuration.anonymous())) {
        throw new IllegalArgumentException(
            "anonymous: Forbidden: changed from initial configuration file");
      }
    } catch (IllegalArgumentException e) {
      // This content will never be valid; only a changed file is read again.
      content = now;
      failed("failed to load authentication config", e);
      return;
    }
    next.find(threads);
    if (!next.problem().isEmpty()) {
      failed("failed to update authentication config", new IOException(next.problem()));
      return;
    }
    issuers = next;
    content = now;
    changed.run();
    log.info("reloaded authentication config");
    metrics.reloaded(now);
  }

  private void failed(String what, Exception why) {
    log.error("{}: {}", what, why.getMessage());
    metrics.failed();
  }
}
