package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;
import org.jspecify.annotations.Nullable;

/**
 * A stored object that is about to change.
 *
 * @param isCanonical whether it is known to be in canonical form, because this server wrote it
 * @param isValid whether it is known to be valid, because this server validated it
 */
record ExistingObject(JsonObject tree, boolean isCanonical, boolean isValid) {

  /** The object in the version in which the type's handlers work. */
  static ExistingObject of(ServedType type, StoredObject object) {
    var written = object.written();
    if (written == null) {
      var tree = object.tree();
      return new ExistingObject(type.isCustom() ? type.fromStored(tree) : tree, false, false);
    }
    if (type.isCustom() && !type.isStoredVersion()) {
      return new ExistingObject(type.fromStored(written.tree()), false, false);
    }
    return new ExistingObject(written.tree(), true, written.isValid());
  }

  /** The object if it is known to be in canonical form, otherwise null. */
  @Nullable JsonObject canonical() {
    return isCanonical ? tree : null;
  }
}
