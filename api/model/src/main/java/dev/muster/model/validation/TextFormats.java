package dev.muster.model.validation;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;

/** Checks text formats that several schema languages define. */
public final class TextFormats {
  private TextFormats() {}

  /** Whether the text is padded base64 and not empty. */
  public static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return !text.isEmpty() && text.length() % 4 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether the text is an existing date such as 2026-02-28. */
  public static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return text.length() == 10;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
