package dev.muster.validation.core;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** Rules of Namespaces. */
public final class NamespaceRules {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final String FINALIZER = "kubernetes";

  private static final Rule NAMESPACE =
      Rule.all(clusterMetadata(NameRule.DNS_LABEL), NamespaceRules::finalizers);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(code(NamespaceRules::labelled), make("status", value("phase", "Active")))
          .status()
          .prepareCreate(NamespaceRules::prepared)
          .prepareUpdate(NamespaceRules::kept)
          .create(NAMESPACE)
          .update(NAMESPACE, metadataUpdate())
          .statusUpdate(metadataUpdate(), NamespaceRules::phase)
          .build();

  private NamespaceRules() {}

  private static JsonObject labelled(JsonObject namespace) {
    var name = namespace.object("metadata").string("name");
    var labels = namespace.object("metadata", "labels");
    return name.isEmpty() || labels.string(NAME_LABEL).equals(name)
        ? namespace
        : namespace.withAt(Json.of(name), "metadata", "labels", NAME_LABEL);
  }

  private static JsonObject prepared(JsonObject namespace) {
    var finalizers = namespace.object("spec").array("finalizers");
    var prepared = labelled(namespace).with("status", JsonObject.of("phase", "Active"));
    return finalizers.strings().contains(FINALIZER)
        ? prepared
        : prepared.withAt(finalizers.plus(Json.of(FINALIZER)), "spec", "finalizers");
  }

  private static JsonObject kept(JsonObject namespace, JsonObject old) {
    var finalizers = old.at("spec", "finalizers");
    var labelled = labelled(namespace);
    return finalizers == null
        ? labelled.withoutAt("spec", "finalizers")
        : labelled.withAt(finalizers, "spec", "finalizers");
  }

  /** Like kube-apiserver's, the errors name the list and not the item. */
  private static void finalizers(FieldCursor namespace) {
    var list = namespace.at("spec", "finalizers");
    for (var name : list.array().strings()) {
      var place = list.with(Json.of(name));
      place.invalidEach(Names.qualifiedName(name));
      Rules.knownFinalizer(place);
    }
  }

  private static void phase(FieldCursor namespace) {
    boolean deleted = namespace.at("metadata").has("deletionTimestamp");
    var phase = namespace.at("status", "phase").text();
    if (!phase.equals(deleted ? "Terminating" : "Active")) {
      namespace.report(
          FieldError.invalid(
              FieldPath.of("status", "Phase"),
              phase,
              deleted
                  ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                  : "may only be 'Active' if `deletionTimestamp` is empty"));
    }
  }

  private static final Rule FINALIZE =
      Rule.all(metadataUpdate(), each("spec.finalizers", qualifiedName(), Rules::knownFinalizer));

  /** Validates a write through the {@code finalize} subresource. */
  public static void validateFinalize(
      JsonObject namespace, JsonObject old, List<FieldError> errors) {
    FINALIZE.check(FieldCursor.of(namespace, old, errors));
  }

  /** Restores the status in a write through the {@code finalize} subresource. */
  public static JsonObject prepareForFinalize(JsonObject namespace, JsonObject old) {
    return namespace.with("status", old.object("status"));
  }
}
