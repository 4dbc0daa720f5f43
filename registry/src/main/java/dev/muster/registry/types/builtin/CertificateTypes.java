package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.certificates.SigningRequestRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code certificates.k8s.io}. */
final class CertificateTypes {
  private CertificateTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("certificates.k8s.io/v1", 17300, 15);
    v1.cluster(
            "certificatesigningrequests",
            "CertificateSigningRequest",
            SigningRequestRules.STRATEGY,
            "csr")
        .subresource("approval")
        .status()
        .table(GroupTables.signingRequest())
        .selectable(BuiltInFields.named("spec.signerName"))
        .resets("", "spec", "status")
        .resets("status", "spec", "status.conditions")
        .resets("approval", "spec", "status.certificate");
    return v1.builders();
  }
}
