package dev.muster.multicluster.conformance;

import static dev.muster.multicluster.conformance.FleetRequirement.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Checks KEP-1965: every API server has an ID in a Lease that it renews. */
final class IdentityChecks {
  static final String NAMESPACE = "kube-apiserver-lease";

  /** The collector's resync period, plus a margin. */
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
        IDENTITY_STORED,
        named(all, lease -> lease.id().isEmpty(), "has no holderIdentity"),
        all.size(),
        "Leases with a holder");
    var ids = all.stream().map(FleetIdentity::id).filter(id -> !id.isEmpty()).distinct().count();
    var shared = shared(all);
    if (shared.isEmpty() && ids < 2) {
      findings.notObserved(IDENTITY_UNIQUE, "fewer than two servers have a Lease");
    } else {
      findings.add(IDENTITY_UNIQUE, shared, ids, "different IDs");
    }
    findings.add(
        IDENTITY_LISTED,
        named(
            all,
            lease -> !lease.labelled(),
            "lacks the label " + FleetIdentity.LABEL + "=" + FleetIdentity.LABEL_VALUE),
        all.size(),
        "Leases with the label");
    findings.add(
        IDENTITY_NAMESPACE,
        named(all, lease -> !lease.namespace().equals(NAMESPACE), "is elsewhere"),
        all.size(),
        "Leases in " + NAMESPACE);
    findings.add(
        IDENTITY_FORM,
        named(living, lease -> !FORM.matcher(lease.id()).matches(), "has an ID of another form"),
        living.size(),
        "IDs of living servers");
    findings.add(
        IDENTITY_HOSTNAME,
        named(living, lease -> !tellsHost(lease), "does not say so"),
        living.size(),
        "Leases of living servers");
    renewal(seen, findings, living);
    collection(seen, findings);
  }

  private static void renewal(
      FleetObservation seen, FleetFindings findings, List<FleetIdentity> living) {
    long renewed = living.stream().filter(FleetIdentity::renewed).count();
    boolean longEnough =
        seen.identities().stream()
            .anyMatch(lease -> seen.watched().compareTo(lease.interval().multipliedBy(2)) >= 0);
    var time = " in " + seen.watched().toSeconds() + " s";
    if (renewed > 0) {
      findings.pass(
          IDENTITY_RENEWED,
          "%d of %d Leases were renewed%s".formatted(renewed, seen.identities().size(), time));
    } else if (longEnough) {
      findings.fail(IDENTITY_RENEWED, "no Lease was renewed" + time);
    } else {
      findings.notObserved(IDENTITY_RENEWED, "it was not watched for two renewals");
    }
    findings.add(
        IDENTITY_DURATION,
        named(
            living,
            lease ->
                lease.duration().isEmpty()
                    || lease.duration().get().compareTo(lease.interval().multipliedBy(3)) < 0,
            "does not last three renewals"),
        living.size(),
        "Leases of living servers");
  }

  /** The absence of old Leases is no evidence, because possibly no server ever died. */
  private static void collection(FleetObservation seen, FleetFindings findings) {
    var now = seen.now();
    var expired =
        seen.identities().stream().filter(lease -> !lease.renewed() && lease.hasExpired(now));
    var old =
        named(
            expired.toList(),
            lease -> lease.hasExpired(now.minus(RESYNC)),
            "has expired long ago and is still there");
    if (!old.isEmpty()) {
      findings.fail(IDENTITY_COLLECTED, String.join("; ", old));
    } else if (!seen.collected().isEmpty()) {
      findings.pass(
          IDENTITY_COLLECTED,
          String.join(", ", seen.collected()) + " had expired and went while it was watched");
    } else {
      findings.notObserved(
          IDENTITY_COLLECTED, "no Lease was seen to be deleted after it had expired");
    }
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
