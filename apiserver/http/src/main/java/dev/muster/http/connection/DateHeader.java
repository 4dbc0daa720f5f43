package dev.muster.http.connection;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The value of the {@code Date} header, formatted once a second. Thread-safe. */
public final class DateHeader {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static volatile Made made = make(0);

  private DateHeader() {}

  private record Made(long second, byte[] value) {}

  /** 29 bytes that the caller must not change. */
  public static byte[] now() {
    long second = System.currentTimeMillis() / 1000;
    var current = made;
    if (current.second != second) {
      current = make(second);
      made = current;
    }
    return current.value;
  }

  private static Made make(long second) {
    var text = FORMAT.format(Instant.ofEpochSecond(second));
    return new Made(second, text.getBytes(StandardCharsets.US_ASCII));
  }
}
