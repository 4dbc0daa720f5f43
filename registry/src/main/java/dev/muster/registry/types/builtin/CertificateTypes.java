package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.certificates.SigningRequestRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
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
