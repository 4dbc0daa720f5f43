package dev.muster.server.audit;

import dev.muster.audit.AuditPolicyReader;
import dev.muster.authentication.webhook.WebhookKubeconfig;
import dev.muster.pki.PemFiles;
import java.nio.file.Path;

/** Checks the files of the audit flags before the server starts. */
public final class AuditFiles {
  private AuditFiles() {}

  /**
   * @throws IllegalArgumentException with the problem
   */
  public static void checkPolicy(Path file) {
    var _ = AuditPolicyReader.read(PemFiles.content(file));
  }

  /**
   * @throws IllegalArgumentException with the problem
   */
  public static void checkWebhook(Path file) {
    var _ = WebhookKubeconfig.readReceiver(file);
  }
}
