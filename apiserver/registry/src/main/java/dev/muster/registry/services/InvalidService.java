package dev.muster.registry.services;

import dev.muster.model.GroupKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.types.ObjectMeta;
import java.util.List;

/** A Service that cannot get what it asks for. */
final class InvalidService {
  private InvalidService() {}

  static ApiException of(JsonObject service, List<FieldError> errors) {
    return ApiException.invalid(new GroupKind("", "Service"), ObjectMeta.name(service), errors);
  }
}
