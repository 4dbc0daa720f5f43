package dev.muster.server.request;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Forbidden;
import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;

/**
 * The decision that allowed a request. It holds until a role or another object that it depends on
 * changes. Thread-safe.
 *
 * @param revision of a snapshot that existed before the decision
 */
public record RequestAuthorization(Authorizer authorizer, Attributes attributes, long revision) {

  /**
   * Whether an object that decides this request is newer in the snapshot than the decision. An
   * older snapshot never outdates the decision: it may lack the roles while a page of a list is
   * still read from it.
   */
  public boolean isOutdatedIn(Snapshot snapshot) {
    return snapshot.revision() > revision
        && authorizer.changed(attributes, new SnapshotView(snapshot)) > revision;
  }

  /**
   * Authorizes the request again if the decision is outdated in that snapshot.
   *
   * @throws ApiException Forbidden when the request is not allowed there
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
