package dev.muster.multicluster.conformance;

import dev.muster.multicluster.conformance.Finding.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects the findings of one fleet. Not thread-safe. */
final class FleetFindings {
  private final String fleet;
  private final List<Finding> findings = new ArrayList<>();

  FleetFindings(String fleet) {
    this.fleet = fleet;
  }

  /**
   * Passes if there is no violation and at least one observation.
   *
   * @param seen the number of observations; none is no evidence
   * @param what the observed things, as in {@code 3 Leases}
   */
  void add(FleetRequirement requirement, Collection<String> against, long seen, String what) {
    if (!against.isEmpty()) {
      fail(requirement, String.join("; ", against));
    } else if (seen == 0) {
      notObserved(requirement, "there are no " + what);
    } else {
      pass(requirement, seen + " " + what);
    }
  }

  /**
   * @param observed the evidence
   */
  void pass(FleetRequirement requirement, String observed) {
    findings.add(new Finding(fleet, requirement, Result.PASS, observed));
  }

  void fail(FleetRequirement requirement, String why) {
    findings.add(new Finding(fleet, requirement, Result.FAIL, why));
  }

  void notObserved(FleetRequirement requirement, String why) {
    findings.add(new Finding(fleet, requirement, Result.NOT_OBSERVED, why));
  }

  /** Records that one server of a fleet, unlike others, does not implement a document. */
  void notImplementedBy(String server, FleetRequirement.Document document, String why) {
    addAbsent(server, document, "not implemented by this server: " + why);
  }

  /** Records that the fleet does not implement a document. */
  void notImplemented(FleetRequirement.Document document, String why) {
    addAbsent(fleet, document, "not implemented by this fleet: " + why);
  }

  private void addAbsent(String whose, FleetRequirement.Document document, String why) {
    for (var requirement : FleetRequirement.values()) {
      if (requirement.source() == document && !requirement.needsFault()) {
        findings.add(new Finding(whose, requirement, Result.NOT_IMPLEMENTED, why));
      }
    }
  }

  List<Finding> all() {
    return List.copyOf(findings);
  }
}
