package dev.muster.authentication.jwt;

import dev.muster.authentication.jwt.AuthenticationConfiguration.Issuer;
import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.pki.Pem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Validates the issuer section of an authentication configuration. */
final class IssuerRules {
  private static final String MATCH_ANY = "MatchAny";

  private IssuerRules() {}

  static void check(
      Issuer issuer, FieldPath path, List<String> disallowed, List<FieldError> errors) {
    if (issuer.url().isEmpty()) {
      errors.add(FieldError.required(path.child("url"), ""));
    } else {
      checkUrl(issuer.url(), path.child("url"), new TreeSet<>(disallowed), errors);
    }
    checkDiscovery(issuer, path.child("discoveryURL"), errors);
    checkAudiences(issuer, path, errors);
    checkAuthority(issuer.certificateAuthority(), path.child("certificateAuthority"), errors);
    checkEgress(issuer.egressSelectorType(), path.child("egressSelectorType"), errors);
  }

  private static void checkDiscovery(Issuer issuer, FieldPath path, List<FieldError> errors) {
    var discovery = issuer.discoveryUrl();
    if (discovery.isEmpty()) {
      return;
    }
    if (!issuer.url().isEmpty() && trimmed(issuer.url()).equals(trimmed(discovery))) {
      errors.add(FieldError.invalid(path, discovery, "discoveryURL must be different from URL"));
    }
    checkUrl(discovery, path, Set.of(), errors);
  }

  private static String trimmed(String url) {
    int end = url.length();
    while (end > 0 && url.charAt(end - 1) == '/') {
      end--;
    }
    return url.substring(0, end);
  }

  private static void checkUrl(
      String text, FieldPath path, Set<String> disallowed, List<FieldError> errors) {
    if (disallowed.contains(text)) {
      errors.add(
          FieldError.invalid(
              path,
              text,
              "URL must not overlap with disallowed issuers: ["
                  + String.join(" ", disallowed)
                  + "]"));
    }
    GoUrl url;
    try {
      url = GoUrl.parse(text);
    } catch (MalformedValueException e) {
      errors.add(FieldError.invalid(path, text, e.text()));
      return;
    }
    if (!url.scheme().equals("https")) {
      errors.add(FieldError.invalid(path, text, "URL scheme must be https"));
    }
    if (url.hasUser()) {
      errors.add(FieldError.invalid(path, text, "URL must not contain a username or password"));
    }
    if (!url.query().isEmpty()) {
      errors.add(FieldError.invalid(path, text, "URL must not contain a query"));
    }
    if (!url.fragment().isEmpty()) {
      errors.add(FieldError.invalid(path, text, "URL must not contain a fragment"));
    }
  }

  private static void checkAudiences(Issuer issuer, FieldPath parent, List<FieldError> errors) {
    var path = parent.child("audiences");
    var audiences = issuer.audiences();
    if (audiences.isEmpty()) {
      errors.add(FieldError.required(path, "at least one " + path + " is required"));
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < audiences.size(); i++) {
      if (audiences.get(i).isEmpty()) {
        errors.add(FieldError.required(path.index(i), ""));
      }
      if (!seen.add(audiences.get(i))) {
        errors.add(FieldError.duplicate(path.index(i), Json.of(audiences.get(i))));
      }
    }
    var policy = issuer.audienceMatchPolicy();
    if (policy.equals(MATCH_ANY) || (audiences.size() == 1 && policy.isEmpty())) {
      return;
    }
    errors.add(
        FieldError.invalidTyped(
            parent.child("audienceMatchPolicy"),
            policy,
            audiences.size() > 1
                ? "audienceMatchPolicy must be MatchAny for multiple audiences"
                : "audienceMatchPolicy must be empty or MatchAny for single audience"));
  }

  private static void checkAuthority(String pem, FieldPath path, List<FieldError> errors) {
    if (pem.isEmpty()) {
      return;
    }
    try {
      if (Pem.certificates(pem).isEmpty()) {
        errors.add(
            FieldError.invalid(
                path, "<omitted>", "data does not contain any valid RSA or ECDSA certificates"));
      }
    } catch (IllegalArgumentException e) {
      errors.add(FieldError.invalid(path, "<omitted>", String.valueOf(e.getMessage())));
    }
  }

  /**
   * Checks only the form; whether the egress selection exists shows when the issuer is discovered.
   */
  private static void checkEgress(String type, FieldPath path, List<FieldError> errors) {
    if (!type.isEmpty() && !type.equals("controlplane") && !type.equals("cluster")) {
      errors.add(
          FieldError.invalidTyped(
              path, type, "egress selector must be either controlplane or cluster"));
    }
  }
}
