package dev.muster.server.audit;

import dev.muster.audit.AuditPolicyReader;
import dev.muster.authentication.webhook.WebhookKubeconfig;
import dev.muster.pki.PemFiles;
import java.nio.file.Path;

/** Reads the files of the audit log's flags only to see whether they can be used. */
public final class AuditFiles {
  private AuditFiles() {}

  /**
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static void checkPolicy(Path file) {
    var _ = AuditPolicyReader.read(PemFiles.content(file));
  }

  /**
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static void checkWebhook(Path file) {
    var _ = WebhookKubeconfig.readReceiver(file);
  }
}
