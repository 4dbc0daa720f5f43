package dev.muster.multicluster.conformance;

import dev.muster.multicluster.conformance.Finding.Result;
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

  /**
   * It holds where there is nothing against it and something was seen.
   *
   * @param seen how many of what it is about; none is no evidence
   * @param what it is, as in {@code 3 Leases}
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
   * @param observed what shows that it holds
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

  /** Says of one server of a fleet, of whose others it does not hold, that it has no such thing. */
  void notImplementedBy(String server, FleetRequirement.Document document, String why) {
    addAbsent(server, document, "not implemented by this server: " + why);
  }

  /** Says of all that a document asks for that this fleet does nothing of it. */
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
