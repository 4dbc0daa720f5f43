package dev.muster.registry.rules.storage;

import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.Rules;

/** Fields of a spec whose errors leave out the spec. */
final class BareFields {
  private BareFields() {}

  static void immutable(FieldCursor object, String field) {
    var place = object.at("spec", field);
    Rules.report(
        object,
        errors -> MetadataRules.immutable(place.value(), place.old(), FieldPath.of(field), errors));
  }
}
