package dev.muster.model.validation;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Validates IP addresses and CIDR ranges with kube-apiserver's messages. */
public final class IpRules {
  private static final String NO_IP =
      "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  private static final String NO_CIDR =
      "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

  private IpRules() {}

  /**
   * For older fields: any form without leading zeros and mapped addresses. Old values stay valid.
   */
  public static void strictLegacyIp(
      FieldPath path, String value, Collection<String> old, List<FieldError> errors) {
    if (!old.contains(value)) {
      strict(path, value, errors);
    }
  }

  private static boolean strict(FieldPath path, String value, List<FieldError> errors) {
    var ip = Ip.parseLegacy(value);
    if (ip == null) {
      errors.add(FieldError.invalid(path, value, NO_IP));
      return false;
    }
    if (!ip.standard()) {
      errors.add(FieldError.invalid(path, value, "must not have leading 0s"));
      return false;
    }
    if (ip.mapped()) {
      errors.add(FieldError.invalid(path, value, "must not be an IPv4-mapped IPv6 address"));
      return false;
    }
    return true;
  }

  /** For newer fields: only the canonical form. */
  public static void ip(FieldPath path, String value, List<FieldError> errors) {
    if (strict(path, value, errors)) {
      var canonical = String.valueOf(Ip.parseLegacy(value));
      if (!canonical.equals(value)) {
        errors.add(FieldError.invalid(path, value, notCanonical(canonical)));
      }
    }
  }

  /** A warning about a valid address in a discouraged form; empty when there is none. */
  public static List<String> ipWarnings(FieldPath path, String value) {
    var ip = Ip.parseLegacy(value);
    if (ip == null) {
      return List.of();
    }
    if (!ip.standard() || ip.mapped()) {
      return List.of(
          path
              + ": non-standard IP address "
              + GoText.quote(value)
              + " is invalid: use "
              + GoText.quote(ip.toString()));
    }
    if (ip.isSix() && !ip.toString().equals(value)) {
      return List.of(
          path
              + ": IPv6 address "
              + GoText.quote(value)
              + " should be in RFC 5952 canonical format ("
              + GoText.quote(ip.toString())
              + ")");
    }
    return List.of();
  }

  /** For older fields: any strict form. Old values stay valid. */
  public static void strictLegacyCidr(
      FieldPath path, String value, Collection<String> old, List<FieldError> errors) {
    if (!old.contains(value)) {
      strictCidr(path, value, errors);
    }
  }

  private static boolean strictCidr(FieldPath path, String value, List<FieldError> errors) {
    var cidr = Cidr.parseLegacy(value);
    var problem = "";
    if (cidr == null) {
      problem = NO_CIDR;
    } else if (!cidr.standard()) {
      problem = "must not have leading 0s in IP or prefix length";
    } else if (cidr.address().mapped()) {
      problem = "must not have an IPv4-mapped IPv6 address";
    } else if (!cidr.first().equals(cidr.address())) {
      problem = "must not have bits set beyond the prefix length";
    }
    if (!problem.isEmpty()) {
      errors.add(FieldError.invalid(path, value, problem));
    }
    return problem.isEmpty();
  }

  /** For newer fields: only the canonical form. */
  public static void cidr(FieldPath path, String value, List<FieldError> errors) {
    if (strictCidr(path, value, errors)) {
      var canonical = String.valueOf(Cidr.parseLegacy(value));
      if (!canonical.equals(value)) {
        errors.add(FieldError.invalid(path, value, notCanonical(canonical)));
      }
    }
  }

  /** Warnings about a valid range in a discouraged form. */
  public static List<String> cidrWarnings(FieldPath path, String value) {
    var cidr = Cidr.parseLegacy(value);
    if (cidr == null) {
      return List.of();
    }
    var warnings = new ArrayList<String>();
    var quoted = GoText.quote(value);
    var canonical = GoText.quote(cidr.toString());
    if (!cidr.address().equals(cidr.first())) {
      var single = cidr.address() + "/" + (cidr.address().isFour() ? 32 : 128);
      warnings.add(
          path
              + ": CIDR value "
              + quoted
              + " is ambiguous in this context (should be "
              + canonical
              + " or "
              + GoText.quote(single)
              + "?)");
    }
    if (!cidr.standard() || cidr.address().mapped()) {
      warnings.add(path + ": non-standard CIDR value " + quoted + " is invalid: use " + canonical);
    }
    if (warnings.isEmpty() && cidr.address().isSix() && !cidr.toString().equals(value)) {
      warnings.add(
          path
              + ": IPv6 CIDR value "
              + quoted
              + " should be in RFC 5952 canonical format ("
              + canonical
              + ")");
    }
    return warnings;
  }

  /** An address with the prefix length of its network, in canonical form. */
  public static void interfaceAddress(FieldPath path, String value, List<FieldError> errors) {
    var cidr = Cidr.parseLegacy(value);
    if (cidr == null) {
      errors.add(
          FieldError.invalid(
              path,
              value,
              "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"));
      return;
    }
    var canonical = cidr.address() + "/" + cidr.prefix();
    if (!canonical.equals(value)) {
      errors.add(FieldError.invalid(path, value, notCanonical(canonical)));
    }
  }

  private static String notCanonical(String canonical) {
    return "must be in canonical form (" + GoText.quote(canonical) + ")";
  }
}
