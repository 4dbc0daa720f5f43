package dev.muster.registry.stored;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.AddressesOnRead;
import dev.muster.types.ServedType;
import dev.muster.validation.storage.ClaimRules;

/**
 * Defaults that apply only when stored objects are read, for fields that older servers left out.
 *
 * @param addresses the same for Services, which depend on the cluster IP ranges
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
