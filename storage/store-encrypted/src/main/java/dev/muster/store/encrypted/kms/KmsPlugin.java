package dev.muster.store.encrypted.kms;

import dev.muster.store.encrypted.transform.ExtendedNonceGcm;
import dev.muster.store.encrypted.transform.TransformException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of one KMS plug-in, and the seed with which values are encrypted. Thread-safe; a
 * virtual thread probes the plug-in while this is open.
 *
 * <p>A seed stays in use while the plug-in reports the key that encrypted it, and for some minutes
 * after the last such report. Values stay readable while their seeds are in the cache.
 */
public final class KmsPlugin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KmsPlugin.class);
  private static final String VERSION = "v2";
  private static final String FORMER_VERSION = "v2beta1";

  /**
   * The intervals of probes and the lifetimes of their results.
   *
   * @param healthy the interval while the plug-in is healthy
   * @param unhealthy the interval while it is not
   * @param writeKey how long a seed stays in use after the plug-in last reported its key
   * @param fresh how old a successful result may be in a health report
   * @param freshFailure how old a failure may be in a health report
   */
  public record Pace(
      Duration healthy,
      Duration unhealthy,
      Duration writeKey,
      Duration fresh,
      Duration freshFailure) {
    /** Kubernetes' intervals. */
    public static Pace standard() {
      return new Pace(
          Duration.ofMinutes(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(3),
          Duration.ofSeconds(20),
          Duration.ofSeconds(3));
    }
  }

  /** The key with which values are encrypted. */
  record WriteKey(EncryptedObject source, ExtendedNonceGcm transformer, Instant expires) {}

  /** The result of a probe; the trouble is empty when the plug-in is healthy. */
  private record Probe(String trouble, Instant at) {}

  private final KmsClient client;
  private final String name;
  private final InstantSource clock;
  private final Pace pace;
  private final KmsObserver observer;
  private final Runnable onReadable;
  private final SourceCache sources;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile @Nullable WriteKey writeKey;
  private volatile Probe last = new Probe("it was not asked yet", Instant.EPOCH);
  private volatile @Nullable Thread prober;
  private String version = "";

  /**
   * @param onReadable called when values become readable that were not before
   */
  public KmsPlugin(
      KmsClient client,
      String name,
      InstantSource clock,
      Pace pace,
      KmsObserver observer,
      Runnable onReadable) {
    this.client = client;
    this.name = name;
    this.clock = clock;
    this.pace = pace;
    this.observer = observer;
    this.onReadable = onReadable;
    this.sources = new SourceCache(client, name, clock, pace.unhealthy(), observer);
  }

  /** Probes the plug-in once, then periodically. Blocks for at most one timeout. */
  public void start() {
    probe();
    prober = Thread.ofVirtual().name("kms-probe-" + name).start(this::probeForever);
  }

  private void probeForever() {
    try {
      while (true) {
        boolean well = last.trouble.isEmpty() && !sources.hasFailed();
        Thread.sleep(well ? pace.healthy() : pace.unhealthy());
        probe();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public String name() {
    return name;
  }

  public Duration timeout() {
    return client.timeout();
  }

  SourceCache sources() {
    return sources;
  }

  KmsObserver observer() {
    return observer;
  }

  /**
   * The plug-in's problem at the last probe; "" when there is none. Never blocks: when the last
   * probe is too old, another one starts.
   */
  public String degradedReason() {
    var probe = last;
    var age = Duration.between(probe.at, clock.instant());
    var fresh = probe.trouble.isEmpty() ? pace.fresh() : pace.freshFailure();
    if (age.compareTo(fresh) > 0 && asking.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("kms-health-" + name)
          .start(
              () -> {
                try {
                  probe();
                } finally {
                  asking.set(false);
                }
              });
    }
    return probe.trouble;
  }

  /** Probes the plug-in, and creates a new seed when its key has changed. Blocks. */
  public synchronized void probe() {
    String trouble;
    try {
      trouble = evaluate(client.status());
    } catch (TransformException e) {
      trouble =
          "failed to perform status section of the healthz check for KMS Provider %s, error: %s"
              .formatted(name, e.text());
    }
    var before = last;
    last = new Probe(trouble, clock.instant());
    if (trouble.isEmpty()) {
      if (!before.trouble.isEmpty()) {
        LOG.info("KMS plug-in {} is well", name);
      }
      if (sources.retry()) {
        onReadable.run();
      }
    } else if (before.trouble.isEmpty() || before.at.equals(Instant.EPOCH)) {
      LOG.error("KMS plug-in {}: {}", name, trouble);
    }
  }

  private String evaluate(Messages.Status status) {
    var problems = new ArrayList<String>();
    if (!status.healthz().equals("ok")) {
      problems.add("got unexpected healthz status: " + status.healthz());
    }
    if (!status.version().equals(VERSION) && !status.version().equals(FORMER_VERSION)) {
      problems.add("expected KMSv2 API version v2, got " + status.version());
    } else {
      version = version.isEmpty() ? status.version() : version;
      if (!version.equals(status.version())) {
        problems.add(
            "KMSv2 API version should not change after the initial status response version %s, got %s"
                .formatted(version, status.version()));
      }
    }
    var keyId = status.keyId();
    var problem = EncryptedObject.problemOfKeyId(keyId);
    if (problem.isEmpty()) {
      observer.keyFromStatus(name, keyId);
      problems.addAll(rotated(keyId));
    } else {
      observer.invalidKeyId(name, keyId.isEmpty() ? "empty" : "too_long");
      problems.add(
          "got invalid KMSv2 KeyID hash \"%s\": %s"
              .formatted(EncryptedObject.hashOf(keyId), problem));
    }
    if (problems.isEmpty()) {
      return "";
    }
    var all = problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]";
    return "kmsv2 Provider " + name + " is not healthy, error: " + all;
  }

  /** Keeps the seed while its key is current, else creates a new one; returns the problems. */
  private List<String> rotated(String keyId) {
    // The lifetime starts before the call, so that the seed is never used for longer.
    var expires = clock.instant().plus(pace.writeKey());
    var current = writeKey;
    if (current != null && current.source.keyId().equals(keyId)) {
      writeKey = new WriteKey(current.source, current.transformer, expires);
      return List.of();
    }
    var uid = UUID.randomUUID().toString();
    var encryptedBy = "";
    String problem;
    try {
      long start = System.nanoTime();
      var seed = ExtendedNonceGcm.newSeed();
      observer.seedMade(System.nanoTime() - start);
      var transformer = new ExtendedNonceGcm(seed);
      var encrypted = client.encrypt(uid, seed);
      encryptedBy = encrypted.keyId();
      var source =
          new EncryptedObject(
              new byte[0],
              encrypted.keyId(),
              encrypted.ciphertext(),
              encrypted.annotations(),
              EncryptedObject.SEED);
      source.check();
      if (encryptedBy.equals(keyId)) {
        sources.add(source.sourceId(), transformer);
        writeKey = new WriteKey(source, transformer, expires);
        LOG.info(
            "KMS plug-in {}: values are written with key {} now",
            name,
            EncryptedObject.hashOf(keyId));
        return List.of();
      }
      problem = "<nil>";
    } catch (TransformException e) {
      problem = "failed to encrypt DEK, error: " + e.text();
    }
    return List.of(
        ("failed to rotate DEK uid=\"%s\", useSeed=true, errState=%s, errGen=%s,"
                + " statusKeyIDHash=\"%s\", encryptKeyIDHash=\"%s\", stateKeyIDHash=\"%s\","
                + " expirationTimestamp=%s")
            .formatted(
                uid,
                current == null ? "got unexpected nil transformer" : "<nil>",
                problem,
                EncryptedObject.hashOf(keyId),
                EncryptedObject.hashOf(encryptedBy),
                current == null ? "" : EncryptedObject.hashOf(current.source.keyId()),
                current == null ? "0001-01-01T00:00:00Z" : seconds(current.expires)));
  }

  /** The newest write key, even when its lifetime is over; null before the first one. */
  @Nullable WriteKey current() {
    return writeKey;
  }

  /**
   * The key with which to encrypt a value.
   *
   * @throws TransformException when there is none, or its lifetime is over
   */
  WriteKey writeKey() throws TransformException {
    var key = writeKey;
    if (key == null) {
      throw new TransformException(
          "KMS plug-in " + name + " has encrypted no key yet: " + last.trouble);
    }
    var now = clock.instant();
    if (now.isAfter(key.expires)) {
      throw new TransformException(
          "encryptedDEKSource with keyID hash \"%s\" expired at %s (current time is %s)"
              .formatted(
                  EncryptedObject.hashOf(key.source.keyId()), seconds(key.expires), seconds(now)));
    }
    return key;
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public void close() {
    var thread = prober;
    if (thread != null) {
      thread.interrupt();
    }
    client.close();
  }
}
