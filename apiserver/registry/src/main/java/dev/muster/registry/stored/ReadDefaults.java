package dev.muster.registry.stored;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.AddressesOnRead;
import dev.muster.types.ServedType;
import dev.muster.validation.storage.ClaimRules;

/**
 * What older servers left out of objects that they wrote, and nobody fills in but who reads them.
 *
 * @param addresses the same for Services, which depends on the ranges of their addresses
 */
record ReadDefaults(AddressesOnRead addresses) {
  JsonObject of(ServedType type, JsonObject object) {
    return switch (type.storage()) {
      case "/services/specs" -> addresses.filled(object);
      case "/persistentvolumeclaims" -> ClaimRules.withBothSources(object);
      default -> object;
    };
  }
}
