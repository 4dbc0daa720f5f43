package dev.muster.server.watch;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Forbidden;
import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.request.RequestAuthorization;
import dev.muster.types.SnapshotView;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which watches may continue in a snapshot in which permissions have changed. One thread at
 * a time uses it. Watches of the same user for the same resource are decided once.
 */
final class Reauthorization {
  private final Snapshot snapshot;
  private final SnapshotView view;
  private final Map<Attributes, Verdict> verdicts = new HashMap<>();

  Reauthorization(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.view = new SnapshotView(snapshot);
  }

  /** The decision about one set of attributes. */
  private static final class Verdict {
    /** The last revision at which a change affected the decision. */
    private final long changed;

    private boolean decided;
    private @Nullable ApiException refusal;

    Verdict(long changed) {
      this.changed = changed;
    }
  }

  /** The reason why the watch must end; null when it may continue. */
  @Nullable ApiException refusal(RequestAuthorization authorization) {
    if (snapshot.revision() <= authorization.revision()) {
      return null;
    }
    var attributes = authorization.attributes();
    var verdict = verdicts.get(attributes);
    if (verdict == null) {
      verdict = new Verdict(authorization.authorizer().changed(attributes, view));
      verdicts.put(attributes, verdict);
    }
    if (verdict.changed <= authorization.revision()) {
      return null;
    }
    if (!verdict.decided) {
      verdict.refusal = decide(authorization);
      verdict.decided = true;
    }
    return verdict.refusal;
  }

  private @Nullable ApiException decide(RequestAuthorization authorization) {
    var attributes = authorization.attributes();
    try {
      var decision = authorization.authorizer().authorize(attributes, view);
      return decision.allowed() ? null : Forbidden.of(attributes, decision);
    } catch (ApiException e) {
      return e;
    }
  }
}
