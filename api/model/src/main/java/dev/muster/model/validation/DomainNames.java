package dev.muster.model.validation;

import java.util.List;

/** Validates names that contain a domain; each function adds its errors to the list. */
public final class DomainNames {
  private static final String HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

  private DomainNames() {}

  /** A domain of at least three labels. */
  public static void fullyQualifiedName(FieldPath path, String name, List<FieldError> errors) {
    if (name.isEmpty()) {
      errors.add(FieldError.required(path, ""));
      return;
    }
    var problems = Names.dnsSubdomain(name);
    if (!problems.isEmpty()) {
      errors.add(FieldError.invalid(path, name, String.join(",", problems)));
    } else if (name.chars().filter(c -> c == '.').count() < 2) {
      errors.add(
          FieldError.invalid(
              path, name, "should be a domain with at least three segments separated by dots"));
    }
  }

  /** A domain of at least two labels, with or without the final dot. */
  public static void fullyQualifiedDomainName(
      FieldPath path, String given, List<FieldError> errors) {
    if (given.isEmpty()) {
      errors.add(FieldError.required(path, ""));
      return;
    }
    var name = given.endsWith(".") ? given.substring(0, given.length() - 1) : given;
    var problems = Names.dnsSubdomain(name);
    if (!problems.isEmpty()) {
      errors.add(FieldError.invalid(path, name, String.join(",", problems)));
      return;
    }
    var labels = name.split("\\.", -1);
    if (labels.length < 2) {
      errors.add(
          FieldError.invalid(
              path, name, "should be a domain with at least two segments separated by dots"));
      return;
    }
    for (var label : labels) {
      var wrong = Names.dnsLabel(label);
      if (!wrong.isEmpty()) {
        errors.add(FieldError.invalid(path, label, String.join(",", wrong)));
        return;
      }
    }
  }

  /** A domain, a slash and a path, such as {@code example.com/a/b}. */
  public static void domainPrefixedPath(FieldPath path, String value, List<FieldError> errors) {
    if (value.isEmpty()) {
      errors.add(FieldError.required(path, ""));
      return;
    }
    int slash = value.indexOf('/');
    if (slash <= 0 || slash == value.length() - 1) {
      errors.add(
          FieldError.invalid(
              path, value, "must be a domain-prefixed path (such as \"acme.io/foo\")"));
      return;
    }
    var host = value.substring(0, slash);
    for (var problem : Names.dnsSubdomain(host)) {
      errors.add(FieldError.invalid(path, host, problem));
    }
    var rest = value.substring(slash + 1);
    if (!rest.matches(HTTP_PATH)) {
      errors.add(FieldError.invalid(path, rest, Names.pattern("Invalid path", HTTP_PATH)));
    }
  }
}
