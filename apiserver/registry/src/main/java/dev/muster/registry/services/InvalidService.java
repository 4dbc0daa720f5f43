package dev.muster.registry.services;

import dev.muster.model.GroupKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.types.ObjectMeta;
import java.util.List;

/** Builds the error response for a Service whose request cannot be met. */
final class InvalidService {
  private InvalidService() {}

  static ApiException of(JsonObject service, List<FieldError> errors) {
    return ApiException.invalid(new GroupKind("", "Service"), ObjectMeta.name(service), errors);
  }
}
