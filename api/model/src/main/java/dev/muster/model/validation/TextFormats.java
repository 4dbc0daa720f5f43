package dev.muster.model.validation;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;

/** Formats of text that several languages of schemas name. */
public final class TextFormats {
  private TextFormats() {}

  /** Padded, and not empty. */
  public static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return !text.isEmpty() && text.length() % 4 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** A day such as 2026-02-28 that there is. */
  public static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return text.length() == 10;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
