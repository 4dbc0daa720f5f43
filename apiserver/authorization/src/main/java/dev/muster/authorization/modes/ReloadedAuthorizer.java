package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.FileProblems;
import dev.muster.model.User;
import dev.muster.types.ClusterView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authorizer chain whose configuration file is reloaded while the server runs. Thread-safe; only
 * {@link #refresh} takes a lock. An invalid file leaves the chain unchanged and is reported to the
 * log and the metrics.
 */
public final class ReloadedAuthorizer implements Authorizer, RuleResolver {
  private static final Logger LOG = LoggerFactory.getLogger(ReloadedAuthorizer.class);

  private final Path file;
  private final ConfiguredAuthorizers authorizers;
  private final AuthorizationObserver observer;
  private final Set<AuthorizerType> required = EnumSet.noneOf(AuthorizerType.class);
  private byte[] lastRead;
  private AuthorizationConfiguration lastLoaded;
  private volatile AuthorizerChain current;

  /**
   * @param text the content of the file at the start
   * @throws IllegalArgumentException when it is invalid
   */
  public ReloadedAuthorizer(Path file, byte[] text, ConfiguredAuthorizers authorizers) {
    this.file = file;
    this.authorizers = authorizers;
    this.observer = authorizers.observer();
    this.lastRead = text.clone();
    this.lastLoaded = ConfigurationFile.parse(text);
    for (var entry : lastLoaded.authorizers()) {
      if (entry.type() != AuthorizerType.WEBHOOK) {
        required.add(entry.type());
      }
    }
    this.current = authorizers.chain(lastLoaded);
    observer.configured(text);
  }

  /** Reloads the file if it has changed. The server calls this periodically. */
  public synchronized void refresh() {
    byte[] text;
    try {
      text = Files.readAllBytes(file);
    } catch (IOException e) {
      LOG.error("reloading authorization config: {}", FileProblems.text(file, e));
      observer.reloaded(false, lastRead);
      return;
    }
    if (Arrays.equals(text, lastRead)) {
      return;
    }
    lastRead = text;
    try {
      var loaded = ConfigurationFile.parse(text, required);
      if (!loaded.equals(lastLoaded)) {
        var next = authorizers.chain(loaded);
        lastLoaded = loaded;
        current = next;
        LOG.info("reloaded authorization config");
        observer.reloaded(true, text);
      }
    } catch (IllegalArgumentException e) {
      LOG.error("reloading authorization config: {}", e.getMessage());
      observer.reloaded(false, text);
    }
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return current.authorize(attributes);
  }

  @Override
  public Decision authorize(Attributes attributes, ClusterView view) {
    return current.authorize(attributes, view);
  }

  @Override
  public long changed(ClusterView view) {
    return current.changed(view);
  }

  @Override
  public long changed(Attributes attributes, ClusterView view) {
    return current.changed(attributes, view);
  }

  @Override
  public boolean isSoonDecided(Attributes attributes) {
    return current.isSoonDecided(attributes);
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    return current.rulesFor(user, namespace);
  }
}
