package dev.muster.registry.services;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.validation.services.ServiceRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the IP families of a Service from its {@code ipFamilyPolicy}, its requested families and
 * addresses, and the configured ranges.
 *
 * @param configured the families of the configured ranges, the primary one first
 */
record IpFamilies(List<IpFamily> configured) {
  private static final String SINGLE = "SingleStack";
  private static final String PREFER = "PreferDualStack";
  private static final String REQUIRE = "RequireDualStack";
  private static final FieldPath POLICY = FieldPath.of("spec", "ipFamilyPolicy");

  /** The Service with its families and policy; fails if the cluster cannot provide them. */
  JsonObject decide(JsonObject service, @Nullable JsonObject old) {
    var spec = service.object("spec");
    if (spec.string("type").equals("ExternalName") || keepsPreferred(service, old)) {
      return service;
    }
    var mistakes = new ArrayList<FieldError>();
    ServiceRules.validateAddresses(service, old, mistakes);
    failWith(service, mistakes);
    var policy = policy(spec, old);
    var ips = new ArrayList<>(spec.array("clusterIPs").strings());
    var families = new ArrayList<>(spec.array("ipFamilies").strings());
    var errors = new ArrayList<FieldError>();
    if (old != null) {
      followPolicy(policy, ips, families, old.object("spec"), errors);
    }
    if (policy.equals(SINGLE)) {
      refuseSecond(policy, ips, families, errors);
    }
    inferFamilies(ips, families, errors);
    failWith(service, errors);
    if (isHeadless(spec) && spec.object("selector").isEmpty()) {
      completeHeadless(policy, families);
    } else {
      if (policy.equals(REQUIRE) && configured.size() < 2) {
        errors.add(
            FieldError.invalid(
                POLICY, policy, "this cluster is not configured for dual-stack services"));
      }
      for (int i = 0; i < families.size(); i++) {
        if (!configured.contains(IpFamily.named(families.get(i)))) {
          errors.add(
              FieldError.invalid(
                  FieldPath.of("spec", "ipFamilies").index(i),
                  families.get(i),
                  "not configured on this cluster"));
        }
      }
      failWith(service, errors);
      complete(policy, families);
    }
    spec = spec.with("ipFamilyPolicy", policy).with("ipFamilies", JsonArray.ofStrings(families));
    spec =
        ips.isEmpty()
            ? spec.without("clusterIPs")
            : spec.with("clusterIPs", JsonArray.ofStrings(ips));
    return service.with("spec", spec);
  }

  private static void failWith(JsonObject service, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw InvalidService.of(service, errors);
    }
  }

  static boolean isHeadless(JsonObject spec) {
    return spec.string("clusterIP").equals("None");
  }

  /** A PreferDualStack Service whose update does not touch its families keeps them. */
  private static boolean keepsPreferred(JsonObject service, @Nullable JsonObject old) {
    if (old == null) {
      return false;
    }
    var now = service.object("spec");
    var before = old.object("spec");
    return now.string("type").equals(before.string("type"))
        && now.string("ipFamilyPolicy").equals(PREFER)
        && before.string("ipFamilyPolicy").equals(PREFER)
        && now.array("clusterIPs").equals(before.array("clusterIPs"))
        && now.array("ipFamilies").equals(before.array("ipFamilies"));
  }

  private static String policy(JsonObject spec, @Nullable JsonObject old) {
    var given = spec.string("ipFamilyPolicy");
    if (!given.isEmpty()) {
      return given;
    }
    var before = old == null ? "" : old.object("spec").string("ipFamilyPolicy");
    if (!before.isEmpty()) {
      return before;
    }
    return isHeadless(spec) && spec.object("selector").isEmpty() ? REQUIRE : SINGLE;
  }

  private static void followPolicy(
      String policy,
      List<String> ips,
      List<String> families,
      JsonObject before,
      List<FieldError> errors) {
    var oldIps = before.array("clusterIPs").strings();
    var oldFamilies = before.array("ipFamilies").strings();
    if (policy.equals(SINGLE)) {
      if (ips.equals(oldIps) && ips.size() > 1) {
        ips.removeLast();
      }
      if (families.equals(oldFamilies) && families.size() > 1) {
        families.removeLast();
      }
      return;
    }
    if (isReduced(ips, oldIps)) {
      errors.add(
          FieldError.invalid(
              POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP"));
    }
    if (isReduced(families, oldFamilies)) {
      errors.add(
          FieldError.invalid(
              POLICY, policy, "must be 'SingleStack' to release the secondary IP family"));
    }
  }

  private static boolean isReduced(List<String> now, List<String> before) {
    return !now.isEmpty() && now.size() < before.size();
  }

  private static void refuseSecond(
      String policy, List<String> ips, List<String> families, List<FieldError> errors) {
    var text = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
    if (ips.size() == 2) {
      errors.add(FieldError.invalid(POLICY, policy, text + "cluster IPs are specified"));
    }
    if (families.size() == 2) {
      errors.add(FieldError.invalid(POLICY, policy, text + "IP families are specified"));
    }
  }

  private void inferFamilies(List<String> ips, List<String> families, List<FieldError> errors) {
    for (int i = 0; i < ips.size() && !ips.get(i).equals("None"); i++) {
      if (i < families.size()) {
        continue;
      }
      var family = IpFamily.ofText(ips.get(i));
      if (configured.contains(family)) {
        families.add(family.text());
      } else {
        errors.add(
            FieldError.invalid(
                FieldPath.of("spec", "clusterIPs").index(i),
                strings(ips),
                family.text() + " is not configured on this cluster"));
      }
    }
  }

  static Json strings(List<String> texts) {
    return JsonArray.ofStrings(texts);
  }

  private void completeHeadless(String policy, List<String> families) {
    if (families.isEmpty()) {
      families.add(configured.getFirst().text());
    }
    if (families.size() < 2 && !policy.equals(SINGLE)) {
      families.add(IpFamily.named(families.getFirst()).other().text());
    }
  }

  private void complete(String policy, List<String> families) {
    if (families.isEmpty()) {
      families.add(configured.getFirst().text());
    }
    if (!policy.equals(SINGLE) && families.size() == 1 && configured.size() == 2) {
      families.add(IpFamily.named(families.getFirst()).other().text());
    }
  }
}
