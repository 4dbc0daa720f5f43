package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.EncryptionState;
import dev.muster.store.Entry;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.store.encrypted.transform.IdentityTransformer;
import dev.muster.store.encrypted.transform.TransformException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A store that encrypts the values of another store according to the current {@link Encryption}. It
 * returns decrypted values; a value that it cannot decrypt is returned as stored, with the reason
 * in {@link EncryptionState#trouble}. Thread-safe.
 *
 * <p>Decryption may wait for a KMS plug-in, on the thread that takes from a feed or reads an image.
 * Writes never wait for a plug-in. Closing this store closes the other store; the creator of the
 * encryption closes the encryption.
 */
public final class EncryptedStore implements Store {
  private final Store store;
  private final Encryption encryption;
  private final StorageResources resources;
  private final Map<String, EncryptionState> sealings = new ConcurrentHashMap<>();

  public EncryptedStore(Store store, Encryption encryption, StorageResources resources) {
    this.store = store;
    this.encryption = encryption;
    this.resources = resources;
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    Transaction sealed;
    try {
      sealed = sealed(transaction);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    return store.commit(sealed).thenCompose(this::opened);
  }

  private Transaction sealed(Transaction transaction) {
    var transformers = encryption.current();
    if (transformers.isEmpty()) {
      return transaction;
    }
    var operations = new ArrayList<Operation>(transaction.operations().size());
    for (var operation : transaction.operations()) {
      operations.add(
          operation instanceof Operation.Put put ? sealed(transformers, put) : operation);
    }
    return new Transaction(operations, transaction.makesRoom());
  }

  private Operation sealed(Transformers transformers, Operation.Put put) {
    var resource = resources.of(put.key());
    if (resource == null) {
      return put;
    }
    try {
      var value = transformers.of(resource).toStorage(put.value(), path(put.key()));
      return new Operation.Put(put.key(), value, put.expected(), put.timeToLive());
    } catch (TransformException e) {
      throw new StoreException.NotEncrypted(
          "failed to encrypt %s: %s".formatted(resource, e.text()), e);
    }
  }

  /** The key with etcd's prefix, which authenticates the value. */
  private byte[] path(String key) {
    return (store.prefix() + key).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Decrypts conflicting values on another thread: decryption may wait for a plug-in, and this
   * thread belongs to the other store.
   */
  private CompletableFuture<CommitResult> opened(CommitResult result) {
    return result instanceof CommitResult.Conflict conflict
            && conflict.found().stream()
                .anyMatch(found -> IdentityTransformer.isEncrypted(found.value()))
        ? CompletableFuture.supplyAsync(
            () -> opened(conflict), task -> Thread.ofVirtual().name("conflict").start(task))
        : CompletableFuture.completedFuture(result);
  }

  private CommitResult opened(CommitResult.Conflict conflict) {
    return new CommitResult.Conflict(
        conflict.revision(),
        conflict.found().stream()
            .map(
                found -> {
                  var opened = open(found.key(), found.value());
                  return opened == null
                      ? found
                      : new CommitResult.Found(found.key(), found.modRevision(), opened.value);
                })
            .toList());
  }

  private record Opened(byte[] value, EncryptionState sealing) {}

  /** Returns null for a value that is not encrypted and need not be. */
  private @Nullable Opened open(String key, byte[] value) {
    long before = encryption.recoveries();
    var transformers = encryption.current();
    boolean encrypted = IdentityTransformer.isEncrypted(value);
    if (!encrypted && transformers.isEmpty()) {
      return null;
    }
    var resource = resources.of(key);
    if (resource == null) {
      return null;
    }
    var opened = open(transformers, resource, key, value);
    if (opened.sealing.isClosed()) {
      encryption.missed(before);
    }
    return opened;
  }

  private Opened open(Transformers transformers, GroupResource resource, String key, byte[] value) {
    var path = path(key);
    try {
      var opened = transformers.of(resource).fromStorage(value, 0, path);
      return new Opened(
          opened.value(), sealings.computeIfAbsent(opened.by(), by -> new EncryptionState(by, "")));
    } catch (TransformException e) {
      return closed(path, value, e.text());
    } catch (RuntimeException e) {
      // One value that breaks a cipher must not stop the log.
      return closed(path, value, e.getClass().getSimpleName());
    }
  }

  private static Opened closed(byte[] path, byte[] value, String why) {
    return new Opened(
        value,
        EncryptionState.closed(
            "unable to transform key \"%s\": %s"
                .formatted(new String(path, StandardCharsets.UTF_8), why)));
  }

  @Override
  public boolean needsRewrite(String key, EncryptionState encryptionState) {
    var resource = resources.of(key);
    if (resource == null) {
      return false;
    }
    var writer = encryption.current().of(resource).writer();
    return writer != null && !writer.equals(encryptionState.by());
  }

  @Override
  public Image image() {
    return new OpenedImage(store.image());
  }

  private final class OpenedImage implements Image {
    private final Image image;

    OpenedImage(Image image) {
      this.image = image;
    }

    @Override
    public long revision() {
      return image.revision();
    }

    @Override
    public Iterator<Entry> iterator() {
      var entries = image.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public Entry next() {
          var entry = entries.next();
          var opened = open(entry.key(), entry.value());
          return opened == null
              ? entry
              : new Entry(entry.key(), opened.value, entry.modRevision(), opened.sealing);
        }
      };
    }

    @Override
    public void close() {
      image.close();
    }
  }

  @Override
  public Feed follow(long afterRevision) {
    return new OpenedFeed(store.follow(afterRevision));
  }

  private final class OpenedFeed implements Feed {
    private final Feed feed;

    OpenedFeed(Feed feed) {
      this.feed = feed;
    }

    @Override
    public List<Commit> take(Duration patience) throws InterruptedException {
      var commits = feed.take(patience);
      if (commits.isEmpty()) {
        return commits;
      }
      var opened = new ArrayList<Commit>(commits.size());
      for (var commit : commits) {
        opened.add(opened(commit));
      }
      return opened;
    }

    private Commit opened(Commit commit) {
      var changes = new ArrayList<Change>(commit.changes().size());
      boolean any = false;
      for (var change : commit.changes()) {
        var value = change.value();
        var opened = value == null ? null : open(change.key(), value);
        any |= opened != null;
        changes.add(
            opened == null ? change : new Change(change.key(), opened.value, opened.sealing));
      }
      return any ? new Commit(commit.revision(), List.copyOf(changes)) : commit;
    }

    @Override
    public boolean connected() {
      return feed.connected();
    }

    @Override
    public void close() {
      feed.close();
    }
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return store.readIndex();
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public long compactedRevision() {
    return store.compactedRevision();
  }

  @Override
  public String degradedReason() {
    return store.degradedReason();
  }

  @Override
  public String prefix() {
    return store.prefix();
  }

  @Override
  public void close() {
    store.close();
  }
}
