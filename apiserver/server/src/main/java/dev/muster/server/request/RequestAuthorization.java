package dev.muster.server.request;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Forbidden;
import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;

/**
 * That a request was allowed, and by what: it counts only as long as nothing that decided it has
 * changed. Safe for any thread.
 *
 * @param revision of a snapshot that was there before the decision
 */
public record RequestAuthorization(Authorizer authorizer, Attributes attributes, long revision) {

  /**
   * Whether something that decides this request is newer there than the decision. Nothing is in an
   * older snapshot, which may have forgotten its roles while a page of a list is still there.
   */
  public boolean isOutdatedIn(Snapshot snapshot) {
    return snapshot.revision() > revision
        && authorizer.changed(attributes, new SnapshotView(snapshot)) > revision;
  }

  /**
   * Decides again if there is something new.
   *
   * @throws ApiException Forbidden when it is not allowed there
   */
  public void check(Snapshot snapshot) {
    if (isOutdatedIn(snapshot)) {
      var decision = authorizer.authorize(attributes, new SnapshotView(snapshot));
      if (!decision.allowed()) {
        throw Forbidden.of(attributes, decision);
      }
    }
  }
}
