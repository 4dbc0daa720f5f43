package dev.muster.registry;

import dev.muster.model.FieldError;
import dev.muster.model.JsonObject;
import dev.muster.registry.rules.certificates.SigningRequestRules;
import dev.muster.registry.rules.core.NamespaceRules;
import dev.muster.registry.rules.workloads.EphemeralRules;
import dev.muster.registry.rules.workloads.ResizeRules;
import java.util.List;

/** Which part of an object an update may change, and by which rules. */
enum SubresourceView {
  WHOLE {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return strategy.prepareForUpdate(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      strategy.validateUpdate(object, old, errors);
    }
  },
  STATUS {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return strategy.prepareForStatusUpdate(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      strategy.validateStatusUpdate(object, old, errors);
    }

    @Override
    List<String> warnings(Strategy strategy, JsonObject object, JsonObject old) {
      return strategy.statusWarnings(object, old);
    }
  },
  EPHEMERAL_CONTAINERS {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return EphemeralRules.prepare(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      EphemeralRules.validate(object, old, errors);
    }
  },
  RESIZE {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return ResizeRules.prepare(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      ResizeRules.validate(object, old, errors);
    }
  },
  FINALIZE {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return NamespaceRules.prepareForFinalize(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      NamespaceRules.validateFinalize(object, old, errors);
    }
  },
  APPROVAL {
    @Override
    JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old) {
      return SigningRequestRules.prepareForApproval(object, old);
    }

    @Override
    void validate(Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors) {
      SigningRequestRules.validateApproval(object, old, errors);
    }
  };

  static SubresourceView of(Call call) {
    return switch (call.subresource()) {
      case "status" -> STATUS;
      case "finalize" -> FINALIZE;
      case "ephemeralcontainers" -> EPHEMERAL_CONTAINERS;
      case "resize" -> RESIZE;
      case "approval" -> APPROVAL;
      default -> WHOLE;
    };
  }

  abstract JsonObject prepare(Strategy strategy, JsonObject object, JsonObject old);

  abstract void validate(
      Strategy strategy, JsonObject object, JsonObject old, List<FieldError> errors);

  /** Texts about the change for the client's Warning header. */
  List<String> warnings(Strategy strategy, JsonObject object, JsonObject old) {
    return strategy.warnings(object, old);
  }
}
