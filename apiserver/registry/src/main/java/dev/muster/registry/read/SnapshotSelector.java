package dev.muster.registry.read;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.options.ContinueToken;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.ResourceVersions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Chooses the snapshot for a read, by Kubernetes' rules for {@code resourceVersion}. A returned
 * future is already complete when no wait is needed. Thread-safe.
 */
public final class SnapshotSelector {
  /** How long a read waits for a revision that this replica has not applied yet. */
  private static final long PATIENCE_SECONDS = 3;

  private final Replica replica;

  public SnapshotSelector(Replica replica) {
    this.replica = replica;
  }

  /**
   * For a get: unset means the most recent state, "0" any snapshot, another version a snapshot at
   * least that new.
   */
  public CompletableFuture<Snapshot> forGet(String resourceVersion) {
    if (resourceVersion.isEmpty()) {
      return replica.fresh();
    }
    return notOlderThan(ResourceVersions.parse(resourceVersion));
  }

  /**
   * For a list or the start of a watch.
   *
   * @param storage the collection to read
   */
  public CompletableFuture<Snapshot> forList(ListOptions options, String storage) {
    if (!options.continueToken().isEmpty()) {
      return forNextPage(options, storage);
    }
    if (options.resourceVersion().isEmpty()) {
      return replica.fresh();
    }
    long revision = ResourceVersions.ofList(options.resourceVersion());
    boolean exact =
        options.resourceVersionMatch().equals(ListOptions.EXACT)
            || (options.resourceVersionMatch().isEmpty() && options.limit() > 0 && revision > 0);
    return exact ? exactly(revision) : notOlderThan(revision);
  }

  private CompletableFuture<Snapshot> forNextPage(ListOptions options, String storage) {
    var token = ContinueToken.parse(options.continueToken());
    if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals("0")) {
      throw ApiException.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    if (token.revision() == ContinueToken.ANY_REVISION) {
      return replica.fresh();
    }
    return replica
        .at(token.revision())
        .map(snapshot -> CompletableFuture.completedFuture(page(snapshot, token, storage)))
        .orElseGet(() -> waitForPage(token, storage));
  }

  /** A kept snapshot can outlive the history of some of its collections. */
  private static Snapshot page(Snapshot snapshot, ContinueToken token, String storage) {
    try {
      return snapshot.keeping(storage);
    } catch (ReplicaException.Expired e) {
      throw expiredPage(token);
    }
  }

  /**
   * Waits for the revision of a page that another server started. The revision can be ahead of this
   * replica, or already compacted.
   */
  private CompletableFuture<Snapshot> waitForPage(ContinueToken token, String storage) {
    if (token.revision() < replica.current().revision()) {
      throw expiredPage(token);
    }
    return notOlderThan(token.revision())
        .thenApply(ignored -> replica.at(token.revision()).orElseThrow(() -> expiredPage(token)))
        .thenApply(snapshot -> page(snapshot, token, storage));
  }

  private static ApiException expiredPage(ContinueToken token) {
    return new ApiException(
            Reason.EXPIRED,
            "The provided continue parameter is too old to display a consistent list result. You"
                + " can start a new list without the continue parameter, or use the continue token"
                + " in this response to go on at the current state, which may be inconsistent with"
                + " the pages before.")
        .withContinue(token.atAnyRevision().text());
  }

  private CompletableFuture<Snapshot> exactly(long revision) {
    var kept = replica.at(revision);
    if (kept.isPresent()) {
      return CompletableFuture.completedFuture(kept.get());
    }
    if (revision < replica.current().revision()) {
      throw ResourceVersions.expired(revision, replica.oldest());
    }
    return notOlderThan(revision)
        .thenApply(
            ignored ->
                replica
                    .at(revision)
                    .orElseThrow(() -> ResourceVersions.expired(revision, replica.oldest())));
  }

  /**
   * The current snapshot once it has reached that revision; fails after a few seconds otherwise.
   */
  public CompletableFuture<Snapshot> notOlderThan(long revision) {
    var applied = replica.applied(revision);
    if (revision == 0 || applied.isDone()) {
      return applied; // any snapshot, or the first one when the replica has loaded
    }
    return applied
        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            failure -> {
              var cause = failure instanceof CompletionException ? failure.getCause() : failure;
              if (cause instanceof TimeoutException) {
                throw ResourceVersions.tooLarge(revision, replica.current().revision());
              }
              throw new CompletionException(cause);
            });
  }

  /** The revision in a client's resourceVersion. */
  public long revision(String resourceVersion) {
    return ResourceVersions.parse(resourceVersion);
  }
}
