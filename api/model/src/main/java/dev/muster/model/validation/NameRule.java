package dev.muster.model.validation;

import java.util.List;

/** The rule for the names of a resource's objects. */
@FunctionalInterface
public interface NameRule {
  /** DNS subdomains: most resources. */
  NameRule DNS_SUBDOMAIN = (name, prefix) -> Names.dnsSubdomain(prefix ? masked(name) : name);

  /** Long names by generated rules, which do not check {@code generateName}. */
  NameRule LONG_NAME = (name, prefix) -> prefix ? List.of() : Names.longName(name);

  /** DNS labels: namespaces, and services today. */
  NameRule DNS_LABEL = (name, prefix) -> Names.dnsLabel(prefix ? masked(name) : name);

  /** DNS labels that start with a letter. */
  NameRule DNS_1035_LABEL = (name, prefix) -> Names.dns1035Label(prefix ? masked(name) : name);

  /** Names that can be a path segment: roles and their bindings. */
  NameRule PATH_SEGMENT =
      (name, prefix) -> prefix ? Names.pathSegmentPrefix(name) : Names.pathSegment(name);

  /**
   * The errors in a name; empty when it is valid.
   *
   * @param prefix whether it is only the start of a name, as in {@code generateName}
   */
  List<String> check(String name, boolean prefix);

  /** A prefix may end in a dash, because more characters follow it. */
  private static String masked(String name) {
    return name.length() > 1 && name.endsWith("-")
        ? name.substring(0, name.length() - 2) + "a"
        : name;
  }
}
