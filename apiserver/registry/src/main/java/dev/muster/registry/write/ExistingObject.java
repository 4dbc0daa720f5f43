package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;
import org.jspecify.annotations.Nullable;

/**
 * A stored object that is about to be changed.
 *
 * @param isCanonical whether it is known to be in its canonical form, because this server wrote it
 * @param isValid whether it is known to keep all rules, because this server checked it
 */
record ExistingObject(JsonObject tree, boolean isCanonical, boolean isValid) {

  /** The object in the version that handlers of the type work in. */
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

  /** The object if it is known to be in its canonical form. */
  @Nullable JsonObject canonical() {
    return isCanonical ? tree : null;
  }
}
