package dev.muster.model.validation;

import dev.muster.model.gocompat.GoText;
import java.util.ArrayList;
import java.util.List;

/**
 * Validates the name formats of Kubernetes. Every function returns the errors in a text, with
 * kube-apiserver's messages, or an empty list. A valid text costs no allocation.
 */
public final class Names {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
  private static final String LOOSE_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final String LOOSE_SUBDOMAIN = LOOSE_LABEL + "(\\." + LOOSE_LABEL + ")*";
  private static final String LABEL_RULE =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character";
  private static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character";
  private static final String DNS_1035_RULE =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
          + " alphabetic character, and end with an alphanumeric character";
  private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final String KEY_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character";

  private Names() {}

  /** A DNS label (RFC 1123): lower case letters, digits and dashes, at most 63 characters. */
  public static List<String> dnsLabel(String value) {
    if (NameForms.isLabel(value) && value.length() <= 63) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    tooLong(value, 63, problems);
    if (!NameForms.isLabel(value)) {
      problems.add(
          NameForms.isSubdomain(value)
              ? "must not contain dots"
              : pattern(LABEL_RULE, LABEL, "my-name", "123-abc"));
    }
    return problems;
  }

  /** DNS labels joined by dots, at most 253 characters. */
  public static List<String> dnsSubdomain(String value) {
    if (NameForms.isSubdomain(value) && value.length() <= 253) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    tooLong(value, 253, problems);
    if (!NameForms.isSubdomain(value)) {
      problems.add(pattern(SUBDOMAIN_RULE, SUBDOMAIN, "example.com"));
    }
    return problems;
  }

  /** A subdomain with the messages of generated validation, which counts the length in bytes. */
  public static List<String> longName(String value) {
    return dnsSubdomain(value).stream()
        .map(
            problem -> problem.endsWith(" characters") ? "must be no more than 253 bytes" : problem)
        .toList();
  }

  /** Like {@link #dnsSubdomain} with underscores. */
  public static List<String> dnsSubdomainWithUnderscore(String value) {
    var problems = new ArrayList<String>();
    tooLong(value, 253, problems);
    if (!NameForms.isLooseSubdomain(value)) {
      var rule = SUBDOMAIN_RULE.replace("characters, '-' or", "characters, '_', '-' or");
      problems.add(pattern(rule, LOOSE_SUBDOMAIN, "example.com"));
    }
    return problems;
  }

  /** A DNS label that starts with a letter (RFC 1035). */
  public static List<String> dns1035Label(String value) {
    boolean form = NameForms.isLabel(value) && !NameForms.isDigit(value.charAt(0));
    if (form && value.length() <= 63) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    tooLong(value, 63, problems);
    if (!form) {
      problems.add(pattern(DNS_1035_RULE, "[a-z]([-a-z0-9]*[a-z0-9])?", "my-name", "abc-123"));
    }
    return problems;
  }

  /** A subdomain whose first label is an asterisk (RFC 1034, 4.3.3). */
  public static List<String> wildcardDnsSubdomain(String value) {
    boolean form = value.startsWith("*.") && NameForms.isSubdomain(value.substring(2));
    if (form && value.length() <= 253) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    tooLong(value, 253, problems);
    if (!form) {
      problems.add(
          pattern(
              "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS"
                  + " subdomain, which must consist of lower case alphanumeric characters, '-' or"
                  + " '.' and end with an alphanumeric character",
              "\\*\\." + SUBDOMAIN,
              "*.example.com"));
    }
    return problems;
  }

  /** The key of a label or annotation: a name, after an optional subdomain and a slash. */
  public static List<String> qualifiedName(String value) {
    int slash = value.indexOf('/');
    if (slash >= 0 && value.indexOf('/', slash + 1) >= 0) {
      return List.of(
          "a valid label key "
              + pattern(KEY_RULE, KEY, "MyName", "my.name", "123-abc")
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    var name = value.substring(slash + 1);
    var prefix = slash < 0 ? "" : value.substring(0, slash);
    boolean form = NameForms.isKey(name);
    if (form
        && name.length() <= 63
        && (slash < 0 || (NameForms.isSubdomain(prefix) && slash <= 253))) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    if (slash == 0) {
      problems.add("prefix part must be non-empty");
    } else if (slash > 0) {
      if (GoText.bytes(prefix) > 253) {
        problems.add("prefix part must be no more than 253 bytes");
      }
      if (!NameForms.isSubdomain(prefix)) {
        problems.add("prefix part " + pattern(SUBDOMAIN_RULE, SUBDOMAIN, "example.com"));
      }
    }
    if (name.isEmpty()) {
      problems.add("name part must be non-empty");
    } else if (GoText.bytes(name) > 63) {
      problems.add("name part must be no more than 63 bytes");
    }
    if (!form) {
      problems.add("name part " + pattern(KEY_RULE, KEY, "MyName", "my.name", "123-abc"));
    }
    return problems;
  }

  /** The value of a label: empty, or up to 63 characters. */
  public static List<String> labelValue(String value) {
    boolean form = value.isEmpty() || NameForms.isKey(value);
    if (form && value.length() <= 63) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    if (GoText.bytes(value) > 63) {
      problems.add("must be no more than 63 bytes");
    }
    if (!form) {
      problems.add(
          pattern(
              "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                  + " '_' or '.', and must start and end with an alphanumeric character",
              "(" + KEY + ")?",
              "MyValue",
              "my_value",
              "12345"));
    }
    return problems;
  }

  /** A name that can be a segment of a URL path. */
  public static List<String> pathSegment(String value) {
    if (value.equals(".") || value.equals("..")) {
      return List.of("may not be '" + value + "'");
    }
    return pathSegmentPrefix(value);
  }

  /** The start of a name that can be a segment of a URL path. */
  public static List<String> pathSegmentPrefix(String value) {
    if (value.indexOf('/') < 0 && value.indexOf('%') < 0) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    if (value.indexOf('/') >= 0) {
      problems.add("may not contain '/'");
    }
    if (value.indexOf('%') >= 0) {
      problems.add("may not contain '%'");
    }
    return problems;
  }

  /** An identifier of the language C. */
  public static List<String> cIdentifier(String value) {
    boolean form =
        !value.isEmpty()
            && !NameForms.isDigit(value.charAt(0))
            && NameForms.all(value, c -> NameForms.isAlphanumeric(c) || c == '_');
    return form
        ? List.of()
        : List.of(
            pattern(
                "a valid C identifier must start with alphabetic character or '_', followed by a"
                    + " string of alphanumeric characters or '_'",
                "[A-Za-z_][A-Za-z0-9_]*",
                "my_name",
                "MY_NAME",
                "MyName"));
  }

  /** The name of an environment variable: printable ASCII without the equals sign. */
  public static List<String> relaxedEnvironmentVariable(String value) {
    if (value.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    return NameForms.all(value, c -> c >= ' ' && c < 0x7f && c != '=')
        ? List.of()
        : List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
  }

  /** A key of a ConfigMap or Secret. */
  public static List<String> configKey(String value) {
    var problems = new ArrayList<String>();
    tooLong(value, 253, problems);
    if (value.isEmpty() || !NameForms.all(value, NameForms::isConfigCharacter)) {
      problems.add(
          pattern(
              "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
              "[-._a-zA-Z0-9]+",
              "key.name",
              "KEY_NAME",
              "key-name"));
    }
    dots(value, problems);
    return problems;
  }

  /** The name of an HTTP header. */
  public static List<String> httpHeader(String value) {
    return !value.isEmpty() && NameForms.all(value, c -> NameForms.isAlphanumeric(c) || c == '-')
        ? List.of()
        : List.of(
            pattern(
                "a valid HTTP header must consist of alphanumeric characters or '-'",
                "[-A-Za-z0-9]+",
                "X-Header-Name"));
  }

  /** The name of a port (RFC 6335, lower case): at most 15 characters, one of them a letter. */
  public static List<String> portName(String value) {
    var problems = new ArrayList<String>();
    tooLong(value, 15, problems);
    if (value.isEmpty()
        || !NameForms.all(value, c -> NameForms.isLowerAlphanumeric(c) || c == '-')) {
      problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (value.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
      problems.add("must contain at least one letter (a-z)");
    }
    if (value.contains("--")) {
      problems.add("must not contain consecutive hyphens");
    }
    if (value.startsWith("-") || value.endsWith("-")) {
      problems.add("must not begin or end with a hyphen");
    }
    return problems;
  }

  /**
   * Formats a rule, examples and the regular expression in the order of kube-apiserver's messages.
   */
  public static String pattern(String rule, String expression, String... examples) {
    var out = new StringBuilder(rule).append(" (");
    for (int i = 0; i < examples.length; i++) {
      out.append(i == 0 ? "e.g. '" : " or '").append(examples[i]).append("', ");
    }
    return out.append("regex used for validation is '").append(expression).append("')").toString();
  }

  private static void tooLong(String value, int most, List<String> problems) {
    if (GoText.bytes(value) > most) {
      problems.add("must be no more than " + most + " characters");
    }
  }

  /** Refuses keys that would be a path to a parent folder. */
  private static void dots(String value, List<String> problems) {
    if (value.equals(".") || value.equals("..")) {
      problems.add("must not be '" + value + "'");
    } else if (value.startsWith("..")) {
      problems.add("must not start with '..'");
    }
  }
}
