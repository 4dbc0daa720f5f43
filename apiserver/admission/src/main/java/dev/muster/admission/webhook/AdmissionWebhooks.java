package dev.muster.admission.webhook;

import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;

/** Where the configurations of admission webhooks are. */
public final class AdmissionWebhooks {
  static final String MUTATING = "/mutatingwebhookconfigurations";
  static final String VALIDATING = "/validatingwebhookconfigurations";

  private AdmissionWebhooks() {}

  /** Whether somebody may have to be asked about a write. */
  public static boolean areConfiguredIn(Snapshot snapshot) {
    var view = new SnapshotView(snapshot);
    return !view.isEmpty(MUTATING, "") || !view.isEmpty(VALIDATING, "");
  }
}
