package dev.muster.validation.storage;

import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;

/** Reports errors about fields of a spec with paths that omit {@code spec}. */
final class BareFields {
  private BareFields() {}

  static void immutable(FieldCursor object, String field) {
    var place = object.at("spec", field);
    Rules.report(
        object,
        errors -> MetadataRules.immutable(place.value(), place.old(), FieldPath.of(field), errors));
  }
}
