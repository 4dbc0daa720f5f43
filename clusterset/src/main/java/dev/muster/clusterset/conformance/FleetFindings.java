package dev.muster.clusterset.conformance;

import dev.muster.clusterset.conformance.Finding.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Used by one thread. Collects what is found of one fleet. */
final class FleetFindings {
  private final String fleet;
  private final List<Finding> findings = new ArrayList<>();

  FleetFindings(String fleet) {
    this.fleet = fleet;
  }

  /** It holds where there is nothing against it. */
  void add(FleetRequirement requirement, Collection<String> against) {
    add(requirement, against.isEmpty(), String.join("; ", against));
  }

  void add(FleetRequirement requirement, boolean holds, String otherwise) {
    findings.add(
        new Finding(
            fleet, requirement, holds ? Result.PASSED : Result.FAILED, holds ? "" : otherwise));
  }

  void skip(FleetRequirement requirement, String why) {
    findings.add(new Finding(fleet, requirement, Result.SKIPPED, why));
  }

  /** Says of all that a document asks for that this fleet does nothing of it. */
  void notImplemented(FleetRequirement.Document document, String why) {
    for (var requirement : FleetRequirement.values()) {
      if (requirement.source() == document) {
        findings.add(
            new Finding(
                fleet,
                requirement,
                Result.NOT_IMPLEMENTED,
                "not implemented by this fleet: " + why));
      }
    }
  }

  List<Finding> all() {
    return List.copyOf(findings);
  }
}
