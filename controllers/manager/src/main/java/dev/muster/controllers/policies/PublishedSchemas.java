package dev.muster.controllers.policies;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a cluster serves, and how it looks. */
interface PublishedSchemas {
  /** The kind of a resource, if it is served in that version of the group. */
  Optional<Kind> kind(String group, String version, String resource);

  /** What is known of these kinds, in their order; those without a schema are left out. */
  Map<Kind, DeclaredType> declared(List<Kind> kinds);
}
