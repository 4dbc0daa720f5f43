package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.Strategy;
import dev.muster.validation.certificates.SigningRequestRules;
import dev.muster.validation.core.NamespaceRules;
import dev.muster.validation.pods.EphemeralRules;
import dev.muster.validation.pods.ResizeRules;
import java.util.List;
import java.util.function.Consumer;

/** The part of an object that an update can change, with its preparation and validation. */
enum SubresourceView {
  WHOLE(Strategy::prepareForUpdate, Strategy::validateUpdate, Strategy::warnings),
  STATUS(
      Strategy::prepareForStatusUpdate, Strategy::validateStatusUpdate, Strategy::statusWarnings),
  EPHEMERAL_CONTAINERS(EphemeralRules::prepare, EphemeralRules::validate),
  RESIZE(ResizeRules::prepare, ResizeRules::validate),
  FINALIZE(NamespaceRules::prepareForFinalize, NamespaceRules::validateFinalize),
  APPROVAL(SigningRequestRules::prepareForApproval, SigningRequestRules::validateApproval);

  private interface Preparation {
    JsonObject of(Strategy strategy, JsonObject object, JsonObject old);
  }

  private interface Validation {
    void check(
        Strategy strategy,
        JsonObject object,
        JsonObject old,
        List<FieldError> errors,
        Consumer<String> warnings);
  }

  private interface Warnings {
    List<String> of(Strategy strategy, JsonObject object, JsonObject old);
  }

  /** A preparation that is the same for every type with the subresource. */
  private interface OwnPreparation {
    JsonObject of(JsonObject object, JsonObject old);
  }

  private interface OwnValidation {
    void check(JsonObject object, JsonObject old, List<FieldError> errors);
  }

  private final Preparation preparation;
  private final Validation validation;
  private final Warnings warnings;

  SubresourceView(Preparation preparation, Validation validation, Warnings warnings) {
    this.preparation = preparation;
    this.validation = validation;
    this.warnings = warnings;
  }

  SubresourceView(OwnPreparation preparation, OwnValidation validation) {
    this(
        (strategy, object, old) -> preparation.of(object, old),
        (strategy, object, old, errors, warnings) -> validation.check(object, old, errors),
        Strategy::warnings);
  }

  static SubresourceView of(ResourceRequest resourceRequest) {
    return switch (resourceRequest.subresource()) {
      case "status" -> STATUS;
      case "finalize" -> FINALIZE;
      case "ephemeralcontainers" -> EPHEMERAL_CONTAINERS;
      case "resize" -> RESIZE;
      case "approval" -> APPROVAL;
      default -> WHOLE;
    };
  }

  JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
    return preparation.of(strategy, object, old);
  }

  void validate(
      Strategy strategy,
      JsonObject object,
      JsonObject old,
      List<FieldError> errors,
      Consumer<String> warnings) {
    validation.check(strategy, object, old, errors, warnings);
  }

  /** Whether such an update creates a missing object, if its type allows that. */
  boolean mayCreate() {
    return this == WHOLE || this == STATUS;
  }

  /** Whether the whole object is known to be valid after such an update. */
  boolean leavesValid(ExistingObject live) {
    return this == WHOLE || (this == STATUS && live.isValid());
  }

  /** Warnings about the update for the client's Warning header. */
  List<String> warnings(Strategy strategy, JsonObject object, JsonObject old) {
    return warnings.of(strategy, object, old);
  }
}
