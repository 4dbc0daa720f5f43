package dev.muster.admission.podsecurity;

import dev.muster.admission.podsecurity.Policy.Level;
import dev.muster.admission.podsecurity.Policy.Standard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All checks, in the order in which violations are listed. */
final class PodSecurityChecks {
  private PodSecurityChecks() {}

  private interface Check {
    @Nullable Violation check(PodView pod, int minor);
  }

  /**
   * A check of the baseline level.
   *
   * @param replaced the version since which the restricted level has a stricter check instead
   */
  private record Baseline(Check check, int replaced) {}

  /** A check of the restricted level, with the version that introduced it. */
  private record Restricted(Check check, int since) {}

  private static final int NEVER = Integer.MAX_VALUE;

  private static final List<Baseline> BASELINE =
      List.of(
          new Baseline(BaselineChecks::appArmorProfile, NEVER),
          new Baseline(BaselineChecks::capabilities, 22),
          new Baseline(BaselineChecks::hostNamespaces, NEVER),
          new Baseline(BaselineChecks::hostPathVolumes, 0),
          new Baseline(BaselineChecks::hostPorts, NEVER),
          new Baseline(BaselineChecks::hostProbes, NEVER),
          new Baseline(BaselineChecks::privileged, NEVER),
          new Baseline(BaselineChecks::procMount, 35),
          new Baseline(BaselineChecks::seLinuxOptions, NEVER),
          new Baseline(BaselineChecks::seccompProfile, 19),
          new Baseline(BaselineChecks::sysctls, NEVER),
          new Baseline(BaselineChecks::windowsHostProcess, NEVER));

  private static final List<Restricted> RESTRICTED =
      List.of(
          new Restricted(RestrictedChecks::allowPrivilegeEscalation, 8),
          new Restricted(RestrictedChecks::capabilities, 22),
          new Restricted(BaselineChecks::anyProcMount, 35),
          new Restricted(RestrictedChecks::volumes, 0),
          new Restricted(RestrictedChecks::runAsNonRoot, 0),
          new Restricted(RestrictedChecks::runAsUser, 23),
          new Restricted(RestrictedChecks::seccompProfile, 19));

  static List<Violation> violations(Standard standard, PodView pod) {
    if (standard.level() == Level.PRIVILEGED) {
      return List.of();
    }
    boolean restricted = standard.level() == Level.RESTRICTED;
    int minor = standard.minor();
    var found = new ArrayList<Violation>();
    for (var rule : BASELINE) {
      boolean replaced = restricted && rule.replaced() != NEVER && minor >= rule.replaced();
      if (!replaced) {
        add(rule.check().check(pod, minor), found);
      }
    }
    if (restricted) {
      for (var rule : RESTRICTED) {
        if (minor >= rule.since()) {
          add(rule.check().check(pod, minor), found);
        }
      }
    }
    return found;
  }

  private static void add(@Nullable Violation violation, List<Violation> found) {
    if (violation != null) {
      found.add(violation);
    }
  }
}
