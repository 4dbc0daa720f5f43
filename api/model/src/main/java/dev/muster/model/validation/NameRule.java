package dev.muster.model.validation;

import java.util.List;

/** What the names of a resource's objects look like. */
@FunctionalInterface
public interface NameRule {
  /** Names that can be hosts: most resources. */
  NameRule DNS_SUBDOMAIN = (name, prefix) -> Names.dnsSubdomain(prefix ? masked(name) : name);

  /** A long name by generated rules, which say nothing about {@code generateName}. */
  NameRule LONG_NAME = (name, prefix) -> prefix ? List.of() : Names.longName(name);

  /** Names that can be one part of a host: namespaces, services of today. */
  NameRule DNS_LABEL = (name, prefix) -> Names.dnsLabel(prefix ? masked(name) : name);

  /** Names that can be one part of a host and start with a letter. */
  NameRule DNS_1035_LABEL = (name, prefix) -> Names.dns1035Label(prefix ? masked(name) : name);

  /** Names that can stand in a path: roles and their bindings. */
  NameRule PATH_SEGMENT =
      (name, prefix) -> prefix ? Names.pathSegmentPrefix(name) : Names.pathSegment(name);

  /**
   * What is wrong with the name; empty when nothing is.
   *
   * @param prefix whether it is only the beginning of a name, as in {@code generateName}
   */
  List<String> check(String name, boolean prefix);

  /** A prefix may end in a dash, because more will follow it. */
  private static String masked(String name) {
    return name.length() > 1 && name.endsWith("-")
        ? name.substring(0, name.length() - 2) + "a"
        : name;
  }
}
