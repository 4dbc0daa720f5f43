package dev.muster.validation.services;

import dev.muster.model.address.Ip;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.IpRules;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Validates the cluster IPs and IP families of a Service. */
final class ServiceAddresses {
  private static final String FIXED = "may not change once set";

  private ServiceAddresses() {}

  /** Whether the Service is headless. */
  static boolean isHeadless(JsonObject spec) {
    return spec.array("clusterIPs").strings().equals(List.of("None"));
  }

  static void check(FieldCursor spec) {
    if (spec.at("type").isText("ExternalName")) {
      return;
    }
    var ips = spec.at("clusterIPs");
    var texts = ips.array().strings();
    first(spec, ips, texts);
    var seen = new HashSet<String>();
    for (var family : spec.at("ipFamilies").items()) {
      FieldChecks.oneOf("IPv4", "IPv6").check(family);
      if (!seen.add(family.text())) {
        family.duplicate();
      }
    }
    FieldChecks.oneOf("PreferDualStack", "RequireDualStack", "SingleStack")
        .check(spec.at("ipFamilyPolicy"));
    boolean valid = forms(ips, texts);
    if (texts.size() > 2) {
      ips.invalid("may only hold up to 2 values");
    }
    if (!valid) {
      return;
    }
    if (texts.size() > 1 && !areOfBothFamilies(texts)) {
      ips.invalid("may specify no more than one IP for each IP family");
    }
    if (!isHeadless(spec.object())) {
      fitFamilies(ips, spec.at("ipFamilies").array().strings());
    }
  }

  private static void first(FieldCursor spec, FieldCursor ips, List<String> texts) {
    var ip = spec.at("clusterIP").text();
    if (ip.isEmpty()) {
      if (!texts.isEmpty()) {
        ips.invalid("must be empty when `clusterIP` is not specified");
      }
    } else if (texts.isEmpty()) {
      ips.required("");
    } else if (!texts.getFirst().equals(ip)) {
      ips.invalid("first value must match `clusterIP`");
    }
  }

  private static boolean forms(FieldCursor ips, List<String> texts) {
    var known = ips.before().array().strings();
    var errors = new ArrayList<FieldError>();
    var places = ips.items();
    for (int i = 0; i < places.size(); i++) {
      var place = places.get(i);
      if (i == 0 && place.isText("None")) {
        if (texts.size() > 1) {
          errors.add(
              FieldError.invalid(
                  ips.path(), ips.array(), "'None' must be the first and only value"));
        }
      } else {
        IpRules.strictLegacyIp(place.path(), place.text(), known, errors);
      }
    }
    errors.forEach(ips::report);
    return errors.isEmpty();
  }

  private static boolean areOfBothFamilies(List<String> texts) {
    return texts.stream().anyMatch(ServiceAddresses::isSix)
        && !texts.stream().allMatch(ServiceAddresses::isSix);
  }

  private static boolean isSix(String text) {
    var ip = Ip.parseLegacy(text);
    return ip != null && ip.isSix();
  }

  private static void fitFamilies(FieldCursor ips, List<String> families) {
    var places = ips.items();
    for (int i = 0; i < Math.min(places.size(), families.size()); i++) {
      var family = families.get(i);
      boolean six = isSix(places.get(i).text());
      if ((family.equals("IPv4") && six) || (family.equals("IPv6") && !six)) {
        places
            .get(i)
            .invalid("expected an " + family + " value as indicated by `ipFamilies[" + i + "]`");
      }
    }
  }

  /** An allocated cluster IP cannot change; a second one follows the policy. */
  static void changedAddresses(FieldCursor spec) {
    if (isNamed(spec) || (isHeadless(spec.object()) && isHeadless(spec.before().object()))) {
      return;
    }
    var ips = spec.at("clusterIPs");
    var now = ips.array().strings();
    var before = ips.before().array().strings();
    Json shown = ips.isAbsent() ? JsonNull.NULL : ips.array();
    if (before.size() == now.size()) {
      for (int i = 0; i < now.size(); i++) {
        if (!now.get(i).equals(before.get(i))) {
          ips.items().get(i).invalid(shown, FIXED);
        }
      }
    } else if (before.size() > now.size()) {
      if (now.isEmpty()) {
        index(ips, shown, "primary clusterIP can not be unset");
      } else if (!now.getFirst().equals(before.getFirst())) {
        index(ips, shown, FIXED);
      }
      if (now.size() == 1) {
        mustBeSingle(spec, "must be set to 'SingleStack' when releasing the secondary clusterIP");
      }
    } else if (!before.isEmpty() && !now.getFirst().equals(before.getFirst())) {
      index(ips, shown, FIXED);
    }
  }

  /** The first IP family cannot change. */
  static void changedFamilies(FieldCursor spec) {
    boolean headless = isHeadless(spec.object());
    if (isNamed(spec) || headless || isHeadless(spec.before().object())) {
      return;
    }
    var families = spec.at("ipFamilies");
    var now = families.array().strings();
    var before = families.before().array().strings();
    Json shown = families.isAbsent() ? JsonNull.NULL : families.array();
    Json ips = spec.has("clusterIPs") ? spec.at("clusterIPs").array() : JsonNull.NULL;
    if (before.size() == now.size()) {
      for (int i = 0; i < now.size(); i++) {
        if (!now.get(i).equals(before.get(i))) {
          index(families, shown, FIXED);
        }
      }
    } else if (before.size() > now.size()) {
      if (spec.at("clusterIPs").isEmpty()) {
        index(families, shown, "primary ipFamily can not be unset");
      }
      if (!now.isEmpty() && !now.getFirst().equals(before.getFirst())) {
        index(families, ips, FIXED);
      }
      if (now.size() == 1) {
        mustBeSingle(spec, "must be set to 'SingleStack' when releasing the secondary ipFamily");
      }
    } else if (!before.isEmpty() && !now.getFirst().equals(before.getFirst())) {
      index(families, ips, FIXED);
    }
  }

  private static boolean isNamed(FieldCursor spec) {
    return spec.at("type").isText("ExternalName")
        || spec.before().at("type").isText("ExternalName");
  }

  /** Reports an error at the first item, which may be absent. */
  private static void index(FieldCursor list, Json shown, String detail) {
    list.report(FieldError.invalid(list.path().index(0), shown, detail));
  }

  private static void mustBeSingle(FieldCursor spec, String detail) {
    var policy = spec.at("ipFamilyPolicy");
    if (!policy.isText("SingleStack")) {
      var value = policy.value();
      policy.invalid(value == null ? JsonNull.NULL : value, detail);
    }
  }
}
