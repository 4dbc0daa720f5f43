package dev.muster.store.encrypted;

import dev.muster.store.encrypted.config.EncryptionConfigurationException;
import dev.muster.store.encrypted.kms.KmsPlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encryption at rest of one server. If reloading is enabled, a virtual thread polls the
 * configuration file. A new configuration takes effect when its KMS plug-ins are healthy; an
 * invalid one changes nothing. Thread-safe.
 */
public final class Encryption implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Encryption.class);
  private static final Duration SHORTEST_GRACE = Duration.ofSeconds(10);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  /**
   * The configuration file and how to poll it.
   *
   * @param reload whether changes of the file take effect while the server runs
   * @param kmsV1 whether the feature gate KMSv1 is on
   * @param poll how often the server checks the file
   */
  public record Settings(
      Path file, boolean reload, boolean kmsV1, Duration poll, KmsPlugin.Pace pace) {
    /** The settings with kube-apiserver's intervals. */
    public static Settings of(Path file, boolean reload, boolean kmsV1) {
      return new Settings(file, reload, kmsV1, Duration.ofMinutes(1), KmsPlugin.Pace.standard());
    }
  }

  private final @Nullable TransformersLoader loader;
  private final Duration poll;
  private final boolean reload;
  private final EncryptionObserver observer;
  private volatile Transformers current;
  private volatile @Nullable Runnable reread;
  private final AtomicLong recoveries = new AtomicLong();
  private final AtomicBoolean missing = new AtomicBoolean();
  private volatile @Nullable Thread watcher;

  private Encryption(Duration poll, boolean reload, EncryptionObserver observer) {
    this.loader = null;
    this.poll = poll;
    this.reload = reload;
    this.observer = observer;
    this.current = Transformers.NONE;
  }

  private Encryption(Settings settings, InstantSource clock, EncryptionObserver observer)
      throws EncryptionConfigurationException {
    this.loader =
        new TransformersLoader(
            settings.file(),
            settings.reload(),
            settings.kmsV1(),
            clock,
            settings.pace(),
            observer,
            this::readMore);
    this.poll = settings.poll();
    this.reload = settings.reload();
    this.observer = observer;
    this.current = loader.load();
    observer.inForce(current.hash());
  }

  /** Stores all values unencrypted, and cannot read encrypted ones. */
  public static Encryption none() {
    return new Encryption(Duration.ZERO, false, EncryptionObserver.NONE);
  }

  /**
   * Reads the file. Probes each KMS plug-in once, which may take as long as their timeouts.
   *
   * @throws IllegalArgumentException naming the flag, when the file cannot be used
   */
  public static Encryption start(
      Settings settings, InstantSource clock, EncryptionObserver observer) {
    try {
      var encryption = new Encryption(settings, clock, observer);
      if (settings.reload()) {
        encryption.watcher =
            Thread.ofVirtual().name("encryption-configuration").start(encryption::watch);
      }
      return encryption;
    } catch (EncryptionConfigurationException e) {
      throw new IllegalArgumentException("--encryption-provider-config: " + e.text(), e);
    }
  }

  Transformers current() {
    return current;
  }

  /** How often more values became readable. Read this before you decrypt a value. */
  long recoveries() {
    return recoveries.get();
  }

  /**
   * Records that a value could not be decrypted, so that it is read again when keys or plug-ins
   * change or have changed since.
   *
   * @param before the value of {@link #recoveries} before the attempt
   */
  void missed(long before) {
    missing.set(true);
    if (recoveries.get() != before) {
      readMissed();
    }
  }

  /**
   * Sets the action that reloads all values when unreadable ones become readable.
   *
   * @param action called on any thread, must be short
   */
  public void onReadable(Runnable action) {
    reread = action;
    readMissed();
  }

  private void readMore() {
    recoveries.incrementAndGet();
    readMissed();
  }

  private void readMissed() {
    var action = reread;
    if (action != null && missing.getAndSet(false)) {
      action.run();
    }
  }

  /** Whether there are plug-ins to probe, or there may be some after a reload. */
  public boolean hasHealth() {
    return reload || !current.plugins().isEmpty();
  }

  /** The problem of the KMS plug-ins; "" when there is none. Never blocks. */
  public String degradedReason() {
    return current.degradedReason();
  }

  private void watch() {
    var pause = poll;
    try {
      while (true) {
        Thread.sleep(pause);
        pause = check() ? poll : longer(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration longer(Duration pause) {
    var next = pause.compareTo(poll) >= 0 ? FIRST_RETRY : pause.multipliedBy(2);
    return next.compareTo(poll) > 0 ? poll : next;
  }

  /** Applies the file if it has changed; returns false when the attempt should be repeated. */
  private boolean check() throws InterruptedException {
    var reader = loader;
    if (reader == null) {
      return true;
    }
    Transformers next = null;
    try {
      if (reader.hash().equals(current.hash())) {
        return true;
      }
      next = reader.load();
      awaitHealth(next);
      replace(next);
      return true;
    } catch (EncryptionConfigurationException e) {
      if (next != null) {
        next.close();
      }
      observer.reloaded(false);
      LOG.error("error processing encryption config file {}: {}", reader.file(), e.text());
      return false;
    }
  }

  private static void awaitHealth(Transformers next)
      throws InterruptedException, EncryptionConfigurationException {
    var grace = next.grace().compareTo(SHORTEST_GRACE) > 0 ? next.grace() : SHORTEST_GRACE;
    long end = System.nanoTime() + grace.toNanos();
    for (var trouble = next.degradedReason(); !trouble.isEmpty(); trouble = next.degradedReason()) {
      if (System.nanoTime() - end > 0) {
        throw new EncryptionConfigurationException(
            "health check for new transformers failed, polling error timed out waiting for the"
                + " condition: "
                + trouble);
      }
      Thread.sleep(100);
    }
  }

  private void replace(Transformers next) {
    var old = current;
    current = next;
    observer.reloaded(true);
    observer.inForce(next.hash());
    LOG.info("The encryption configuration {} is in force", next.hash());
    readMore();
    // Reads and writes that began earlier may still need the old plug-ins.
    Thread.ofVirtual()
        .name("encryption-close")
        .start(
            () -> {
              try {
                Thread.sleep(old.grace());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                old.close();
              }
            });
  }

  @Override
  public void close() {
    var thread = watcher;
    if (thread != null) {
      thread.interrupt();
    }
    current.close();
  }
}
