package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.replica.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * A stored object that is about to be changed.
 *
 * @param isCanonical whether it is known to be in its canonical form, because this server wrote it
 * @param isValid whether it is known to keep all rules, because this server checked it
 */
record ExistingObject(JsonObject tree, boolean isCanonical, boolean isValid) {

  static ExistingObject of(StoredObject object) {
    var written = object.written();
    return written == null
        ? new ExistingObject(object.tree(), false, false)
        : new ExistingObject(written.tree(), true, written.isValid());
  }

  /** The object if it is known to be in its canonical form. */
  @Nullable JsonObject canonical() {
    return isCanonical ? tree : null;
  }
}
