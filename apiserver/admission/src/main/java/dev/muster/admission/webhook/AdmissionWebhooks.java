package dev.muster.admission.webhook;

import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.SnapshotView;

/** The collections of admission webhook configurations. */
public final class AdmissionWebhooks {
  static final String MUTATING = "/mutatingwebhookconfigurations";
  static final String VALIDATING = "/validatingwebhookconfigurations";

  private AdmissionWebhooks() {}

  /** Whether any webhook is configured, so that a write may have to wait for one. */
  public static boolean areConfiguredIn(Snapshot snapshot) {
    var view = new SnapshotView(snapshot);
    return !view.isEmpty(MUTATING, "") || !view.isEmpty(VALIDATING, "");
  }
}
