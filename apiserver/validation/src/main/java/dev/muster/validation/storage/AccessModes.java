package dev.muster.validation.storage;

import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import java.util.List;

/** Validates the access modes of volumes and claims. */
final class AccessModes {
  private static final List<String> KNOWN =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

  private AccessModes() {}

  /** Requires at least one mode; ReadWriteOncePod excludes all others. Errors name the list. */
  static void check(FieldCursor modes, String missing) {
    if (modes.isEmpty()) {
      modes.required(missing);
    }
    known(modes);
  }

  static void known(FieldCursor modes) {
    boolean alone = false;
    boolean others = false;
    for (var mode : modes.array().strings()) {
      if (!KNOWN.contains(mode)) {
        modes.report(FieldError.notSupported(modes.path(), mode, KNOWN));
      } else if (mode.equals("ReadWriteOncePod")) {
        alone = true;
      } else {
        others = true;
      }
    }
    if (alone && others) {
      modes.forbidden("may not use ReadWriteOncePod with other access modes");
    }
  }
}
