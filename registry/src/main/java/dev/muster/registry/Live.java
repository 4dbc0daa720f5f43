package dev.muster.registry;

import dev.muster.model.JsonObject;
import dev.muster.replica.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * A stored object that is about to be changed.
 *
 * @param isNormal whether it is known to be in its normal form, because this server wrote it
 * @param isValid whether it is known to keep all rules, because this server checked it
 */
record Live(JsonObject tree, boolean isNormal, boolean isValid) {

  static Live of(StoredObject object) {
    var written = object.written();
    return written == null
        ? new Live(object.tree(), false, false)
        : new Live(written.tree(), true, written.isValid());
  }

  /** The object if it is known to be in its normal form. */
  @Nullable JsonObject normal() {
    return isNormal ? tree : null;
  }
}
