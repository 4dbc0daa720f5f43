package dev.muster.validation.apis;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Rules.plainMetadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rules;
import dev.muster.validation.schema.SentNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The strategy of CustomResourceDefinitions. */
public final class DefinitionRules {
  private static final Default NAMES =
      make(
          "names",
          computed("singular", names -> lower(names.string("kind"))),
          computed(
              "listKind",
              names ->
                  names.string("kind").isEmpty() ? null : Json.of(names.string("kind") + "List")));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .emptyFields(
              EmptyFields.everywhere("dependencies").under("spec.versions.schema.openAPIV3Schema"))
          .status()
          .generation()
          .defaults(
              make(
                  "spec",
                  NAMES,
                  absent("conversion", JsonObject.of("strategy", "None")),
                  in(
                      "conversion",
                      in(
                          "webhook",
                          in("clientConfig", in("service", absent("port", Json.of(443))))))),
              Default.code(DefinitionRules::numbers),
              Default.code(DefinitionRules::storedVersions))
          .prepareCreate(DefinitionRules::storedVersions)
          .prepareUpdate((definition, old) -> storedVersion(definition))
          .create(DefinitionRules::create)
          .update(DefinitionRules::update)
          .statusUpdate(
              plainMetadataUpdate(),
              definition -> DefinitionNames.check(definition.at("status", "acceptedNames")))
          .warnings(SchemaFormats::warnings)
          .refusesUnconditionalUpdate()
          .removal(DefinitionRemoval::of)
          .build();

  private DefinitionRules() {}

  private static @Nullable Json lower(String kind) {
    return kind.isEmpty() ? null : Json.of(kind.toLowerCase(Locale.ROOT));
  }

  /** Normalizes the numbers in schemas, such as defaults. */
  private static JsonObject numbers(JsonObject definition) {
    var spec = definition.object("spec");
    if (!(spec.get("versions") instanceof JsonArray versions)) {
      return definition;
    }
    var normal = SentNumbers.normal(versions);
    return normal == versions ? definition : definition.with("spec", spec.with("versions", normal));
  }

  /** Sets {@code storedVersions} to the storage version when it is empty. */
  private static JsonObject storedVersions(JsonObject definition) {
    return definition.object("status").array("storedVersions").isEmpty()
        ? storedVersion(definition)
        : definition;
  }

  /** Adds the storage version to {@code storedVersions}. */
  private static JsonObject storedVersion(JsonObject definition) {
    for (var version : definition.object("spec").array("versions").objects()) {
      if (version.isTrue("storage")) {
        var stored = new ArrayList<>(definition.object("status").array("storedVersions").strings());
        if (stored.contains(version.string("name"))) {
          return definition;
        }
        stored.add(version.string("name"));
        return definition.withAt(JsonArray.ofStrings(stored), "status", "storedVersions");
      }
    }
    return definition;
  }

  private static void create(FieldCursor definition) {
    var hub = hub(definition);
    metadata(hub);
    DefinitionSpecs.check(hub.at("spec"));
    status(hub);
    approval(hub);
    preserving(hub);
  }

  private static void update(FieldCursor definition) {
    plainMetadataUpdate().check(definition);
    var hub = hub(definition);
    var spec = hub.at("spec");
    DefinitionSpecs.check(spec);
    if (DefinitionConditions.of(definition.before().object()).isTrue("Established")) {
      spec.at("scope").immutable();
      spec.at("names", "kind").immutable();
    }
    spec.at("group").immutable();
    spec.at("names", "plural").immutable();
    status(hub);
    approval(hub);
    preserving(hub);
  }

  private static FieldCursor hub(FieldCursor definition) {
    var old = definition.isUpdate() ? DefinitionForm.of(definition.before().object()) : null;
    return definition.as(DefinitionForm.of(definition.object()), old);
  }

  private static void metadata(FieldCursor definition) {
    var spec = definition.at("spec");
    var wanted = spec.at("names", "plural").text() + "." + spec.at("group").text();
    NameRule names =
        (name, prefix) -> {
          var problems = new ArrayList<>(NameRule.DNS_SUBDOMAIN.check(name, prefix));
          if (!name.equals(wanted)) {
            problems.add("must be spec.names.plural+\".\"+spec.group");
          }
          return problems;
        };
    Rules.plainMetadata(false, names).check(definition);
  }

  private static void status(FieldCursor definition) {
    DefinitionNames.check(definition.at("status", "acceptedNames"));
    var stored = definition.at("status", "storedVersions");
    if (stored.isEmpty()) {
      stored.invalid(JsonNull.NULL, "must have at least one stored version");
      return;
    }
    var ever = new ArrayList<>(stored.array().strings());
    var present = new ArrayList<String>();
    for (var version : definition.at("spec", "versions").items()) {
      var name = version.at("name").text();
      present.add(name);
      boolean known = ever.removeIf(name::equals);
      if (version.at("storage").isTrue() && !known) {
        stored.invalid("must have the storage version " + name);
      }
    }
    for (var version : stored.items()) {
      var name = version.text();
      if (!present.contains(name)) {
        version.invalid(
            "missing from spec.versions; "
                + name
                + " was previously a storage version, and must remain in spec.versions until a"
                + " storage migration ensures no data remains persisted in "
                + name
                + " and removes "
                + name
                + " from status.storedVersions");
      }
    }
  }

  /**
   * Requires API approval, or a declaration that there is none, for groups of the Kubernetes
   * community.
   */
  private static void approval(FieldCursor definition) {
    if (!DefinitionApproval.isNeeded(definition.at("spec", "group").text())) {
      return;
    }
    var annotation = definition.at("metadata", "annotations").entry(DefinitionApproval.ANNOTATION);
    var state = DefinitionApproval.of(annotation.text());
    if (definition.isUpdate() && state == DefinitionApproval.of(annotation.before().text())) {
      return;
    }
    switch (state) {
      case MISSING -> annotation.required(state.message(annotation.text()));
      case INVALID -> annotation.invalid(state.message(annotation.text()));
      case GIVEN, BYPASSED -> {}
    }
  }

  private static void preserving(FieldCursor definition) {
    var preserve = definition.at("spec", "preserveUnknownFields");
    if (preserve.isTrue() && !preserve.before().isTrue()) {
      preserve.invalid(
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  /** Validates a kind, which may contain capital letters. */
  static List<String> kind(String name) {
    return Names.dns1035Label(name.toLowerCase(Locale.ROOT));
  }
}
