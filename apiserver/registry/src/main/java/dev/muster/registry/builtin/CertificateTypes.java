package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.select.BuiltInFields;
import dev.muster.types.table.GroupTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.certificates.SigningRequestRules;
import java.util.List;

/** The types of {@code certificates.k8s.io}. */
final class CertificateTypes implements TypeRules {
  private CertificateTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new CertificateTypes();
    var v1 = new TypeTable("certificates.k8s.io/v1", 17300, 15, rules);
    v1.cluster("certificatesigningrequests", "CertificateSigningRequest", "csr")
        .subresource("approval")
        .status()
        .selectable(BuiltInFields.named("spec.signerName"))
        .resets("", "spec", "status")
        .resets("status", "spec", "status.conditions")
        .resets("approval", "spec", "status.certificate");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "certificatesigningrequests" -> SigningRequestRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "certificatesigningrequests" -> GroupTables.signingRequest();
      default -> TableSpec.PLAIN;
    };
  }
}
