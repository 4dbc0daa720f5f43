package dev.muster.server.options;

import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditWebhookOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The audit policy and the audit backends. Without a policy, no request is audited. */
@FlagGroup("Audit")
public record AuditOptions(
    @Flag(
            name = "audit-policy-file",
            file = FileKind.TEXT,
            help =
                "File that says which requests are logged and how much of them, a Policy of"
                    + " audit.k8s.io/v1. Without it, none is.")
        @Nullable Path policyFile,
    AuditLogOptions log,
    AuditWebhookOptions webhook)
    implements OptionGroup {

  public static AuditOptions defaults() {
    return new AuditOptions(null, AuditLogOptions.defaults(), AuditWebhookOptions.defaults());
  }
}
