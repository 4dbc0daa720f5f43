package dev.muster.clusterset.conformance;

import static dev.muster.clusterset.conformance.FleetRequirement.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** KEP-1965: every API server has an ID in a Lease that it renews. */
final class IdentityChecks {
  static final String NAMESPACE = "kube-apiserver-lease";

  /** The collector's resync period, and some time for it to be late. */
  private static final Duration RESYNC = Duration.ofMinutes(65);

  private static final Pattern FORM =
      Pattern.compile("(.+)[-_](\\d+)[-_]([1-9A-HJ-NP-Za-km-z]{6})");

  private IdentityChecks() {}

  static void run(FleetObservation seen, FleetFindings findings) {
    var all = seen.identities();
    if (all.isEmpty()) {
      findings.notImplemented(Document.IDENTITY, "there are no identity Leases");
      return;
    }
    var living = seen.living();
    findings.add(
        IDENTITY_STORED, named(all, lease -> lease.id().isEmpty(), "has no holderIdentity"));
    findings.add(IDENTITY_UNIQUE, shared(all));
    findings.add(
        IDENTITY_LISTED,
        named(
            all,
            lease -> !lease.labelled(),
            "lacks the label " + FleetIdentity.LABEL + "=" + FleetIdentity.LABEL_VALUE));
    findings.add(
        IDENTITY_NAMESPACE,
        named(all, lease -> !lease.namespace().equals(NAMESPACE), "is elsewhere"));
    findings.add(
        IDENTITY_FORM,
        named(living, lease -> !FORM.matcher(lease.id()).matches(), "has an ID of another form"));
    findings.add(IDENTITY_HOSTNAME, named(living, lease -> !tellsHost(lease), "does not say so"));
    renewal(seen, findings, living);
    var now = seen.now();
    findings.add(
        IDENTITY_COLLECTED,
        named(
            all,
            lease ->
                !lease.renewed()
                    && (lease.renewTime().isEmpty()
                        || lease.duration().isEmpty()
                        || lease
                            .renewTime()
                            .get()
                            .plus(lease.duration().get())
                            .plus(RESYNC)
                            .isBefore(now)),
            "has expired long ago and is still there"));
  }

  private static void renewal(
      FleetObservation seen, FleetFindings findings, List<FleetIdentity> living) {
    boolean renewed = living.stream().anyMatch(FleetIdentity::renewed);
    boolean longEnough =
        seen.identities().stream()
            .anyMatch(lease -> seen.watched().compareTo(lease.interval().multipliedBy(2)) >= 0);
    if (!renewed && !longEnough) {
      findings.skip(IDENTITY_RENEWED, "it was not watched for two renewals");
    } else {
      findings.add(
          IDENTITY_RENEWED,
          renewed,
          "no Lease was renewed in " + seen.watched().toSeconds() + " s");
    }
    findings.add(
        IDENTITY_DURATION,
        named(
            living,
            lease ->
                lease.duration().isEmpty()
                    || lease.duration().get().compareTo(lease.interval().multipliedBy(3)) < 0,
            "does not last three renewals"));
  }

  private static boolean tellsHost(FleetIdentity lease) {
    if (lease.hostname().isEmpty()) {
      return false;
    }
    var form = FORM.matcher(lease.id());
    return !form.matches()
        || form.group(1)
            .toLowerCase(Locale.ROOT)
            .startsWith(lease.hostname().toLowerCase(Locale.ROOT));
  }

  private static List<String> shared(List<FleetIdentity> all) {
    var byId = new TreeMap<String, List<String>>();
    for (var lease : all) {
      if (!lease.id().isEmpty()) {
        byId.computeIfAbsent(lease.id(), id -> new ArrayList<>()).add(lease.toString());
      }
    }
    return byId.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1)
        .map(entry -> String.join(" and ", entry.getValue()) + " have the ID " + entry.getKey())
        .toList();
  }

  private static List<String> named(
      List<FleetIdentity> leases, Predicate<FleetIdentity> wrong, String what) {
    return leases.stream().filter(wrong).map(lease -> lease + " " + what).toList();
  }
}
