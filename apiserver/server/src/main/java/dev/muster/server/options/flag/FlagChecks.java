package dev.muster.server.options.flag;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks option values. The messages name the flag, so that users can be shown them unchanged. */
public final class FlagChecks {
  private FlagChecks() {}

  public static void between(String flag, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "--" + flag + ": " + value + " is not between " + least + " and " + most);
    }
  }

  public static void atLeast(String flag, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException("--" + flag + ": " + value + " is less than " + least);
    }
  }

  public static void notNegative(String flag, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("--" + flag + ": must not be negative");
    }
  }

  public static void positive(String flag, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("--" + flag + ": must be greater than zero");
    }
  }

  public static void together(
      String flag, @Nullable Object value, String otherFlag, @Nullable Object other) {
    if ((value == null) != (other == null)) {
      throw new IllegalArgumentException(
          "--" + flag + " and --" + otherFlag + ": give both or none");
    }
  }
}
