package dev.muster.registry.rules.certificates;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of requests for certificates. */
public final class CertificateRules {
  private CertificateRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind("certificates.k8s.io", "CertificateSigningRequest"),
        SigningRequestRules.STRATEGY);
  }
}
