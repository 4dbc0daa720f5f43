package dev.muster.controllers.policies;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds that a cluster serves, with their schemas. */
interface PublishedSchemas {
  /** The kind of a resource, if it is served in that version of the group. */
  Optional<Kind> kind(String group, String version, String resource);

  /** The types of these kinds, in their order; kinds without a schema are left out. */
  Map<Kind, DeclaredType> declared(List<Kind> kinds);
}
