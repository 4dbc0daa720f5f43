package dev.muster.store.encrypted.kms;

import dev.muster.store.encrypted.transform.AesGcm;
import dev.muster.store.encrypted.transform.ExtendedNonceGcm;
import dev.muster.store.encrypted.transform.TransformException;
import dev.muster.store.encrypted.transform.Transformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the keys and seeds that a KMS plug-in has decrypted. A caller that needs another one
 * waits for the plug-in. After a failure the cache does not repeat the call at once, and makes no
 * calls while the plug-in does not answer, so that many values cost only one timeout. Thread-safe.
 */
final class SourceCache {
  private static final Set<String> NO_ANSWER = Set.of("Unavailable", "DeadlineExceeded");
  private static final Duration REMEMBERED = Duration.ofHours(24);
  private static final int MOST_FAILED = 10_000;

  private record Known(Transformer reader, long usedMillis) {}

  private record Failed(EncryptedObject object, TransformException why, long millis) {}

  private final KmsClient client;
  private final String provider;
  private final InstantSource clock;
  private final Duration patience;
  private final KmsObserver observer;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, Failed> failed = new ConcurrentHashMap<>();
  private volatile @Nullable Failed silent;

  /**
   * @param patience how long the cache makes no new attempt after a failure, unless a probe shows
   *     that the plug-in is healthy
   */
  SourceCache(
      KmsClient client,
      String provider,
      InstantSource clock,
      Duration patience,
      KmsObserver observer) {
    this.client = client;
    this.provider = provider;
    this.clock = clock;
    this.patience = patience;
    this.observer = observer;
  }

  /** The transformer that decrypts values of that source. */
  Transformer reader(EncryptedObject object) throws TransformException {
    var id = object.sourceId();
    long now = clock.millis();
    var there = known.get(id);
    if (there != null) {
      if (now - there.usedMillis > REMEMBERED.toMillis() / 24) {
        known.replace(id, there, new Known(there.reader, now));
      }
      return there.reader;
    }
    var before = failed.get(id);
    if (before != null && now - before.millis < patience.toMillis()) {
      throw before.why;
    }
    var pause = silent;
    if (pause != null && now - pause.millis < patience.toMillis()) {
      fail(id, object, pause.why);
      throw pause.why;
    }
    observer.sourceMissed();
    return asked(id, object);
  }

  private Transformer asked(String id, EncryptedObject object) throws TransformException {
    try {
      var source = decrypted(object);
      var reader =
          object.type() == EncryptedObject.SEED ? new ExtendedNonceGcm(source) : gcm(source);
      add(id, reader);
      return reader;
    } catch (TransformException e) {
      var failure = fail(id, object, e);
      if (NO_ANSWER.contains(e.status())) {
        silent = failure;
      }
      throw e;
    }
  }

  private byte[] decrypted(EncryptedObject object) throws TransformException {
    try {
      return client.decrypt(UUID.randomUUID().toString(), object);
    } catch (TransformException e) {
      throw new TransformException("failed to decrypt DEK, error: " + e.text(), e.status(), e);
    }
  }

  private static Transformer gcm(byte[] key) throws TransformException {
    if (key.length != 16 && key.length != 24 && key.length != 32) {
      throw new TransformException("crypto/aes: invalid key size " + key.length);
    }
    return new AesGcm(key);
  }

  private Failed fail(String id, EncryptedObject object, TransformException why) {
    var failure = new Failed(object.with(new byte[0]), why, clock.millis());
    if (failed.size() < MOST_FAILED || failed.containsKey(id)) {
      failed.put(id, failure);
    }
    return failure;
  }

  /** Adds a new seed, and removes those that were not used for a day. */
  void add(String id, Transformer reader) {
    long now = clock.millis();
    known.values().removeIf(each -> now - each.usedMillis > REMEMBERED.toMillis());
    known.put(id, new Known(reader, now));
    failed.remove(id);
    observer.sourcesKnown(provider, known.size());
  }

  boolean hasFailed() {
    return !failed.isEmpty();
  }

  /**
   * The plug-in is healthy: tries the failed sources again. Returns whether more values are
   * readable.
   */
  boolean retry() {
    silent = null;
    boolean any = false;
    for (var entry : List.copyOf(failed.entrySet())) {
      if (known.containsKey(entry.getKey())) {
        failed.remove(entry.getKey());
        any = true;
        continue;
      }
      try {
        asked(entry.getKey(), entry.getValue().object);
        any = true;
      } catch (TransformException e) {
        if (NO_ANSWER.contains(e.status())) {
          return any;
        }
      }
    }
    return any;
  }
}
