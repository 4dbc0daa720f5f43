package dev.muster.validation.apis;

import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.List;

/** Validates the names of a custom resource. */
final class DefinitionNames {
  private DefinitionNames() {}

  static void required(FieldCursor names) {
    for (var field : List.of("plural", "singular", "kind", "listKind")) {
      if (names.at(field).isEmpty()) {
        names.at(field).required("");
      }
    }
  }

  static void check(FieldCursor names) {
    for (var field : List.of("plural", "singular")) {
      var name = names.at(field);
      if (!name.isEmpty()) {
        joined(name, "", Names.dns1035Label(name.text()));
      }
    }
    for (var field : List.of("kind", "listKind")) {
      var name = names.at(field);
      if (!name.isEmpty()) {
        joined(
            name,
            "may have mixed case, but should otherwise match: ",
            DefinitionRules.kind(name.text()));
      }
    }
    for (var name : names.at("shortNames").items()) {
      joined(name, "", Names.dns1035Label(name.text()));
    }
    var kind = names.at("kind");
    if (!kind.isEmpty() && kind.text().equals(names.at("listKind").text())) {
      names.at("listKind").invalid("kind and listKind may not be the same");
    }
    for (var category : names.at("categories").items()) {
      joined(category, "", Names.dns1035Label(category.text()));
    }
  }

  /** Reports all problems in one error. */
  static void joined(FieldCursor place, String before, List<String> problems) {
    if (!problems.isEmpty()) {
      place.invalid(before + String.join(",", problems));
    }
  }
}
