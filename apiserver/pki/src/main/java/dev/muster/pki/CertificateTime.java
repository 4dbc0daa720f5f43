package dev.muster.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.x509.Time;

/**
 * The times in certificates, in the form that RFC 5280 has for their year. Bouncy Castle would make
 * the same of a {@code Date}, but with the calendars of all locales, which a JVM has to load first.
 */
final class CertificateTime {
  private static final int FIRST_LONG_YEAR = 2050;
  private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'");
  private static final DateTimeFormatter LONG = DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'");

  private CertificateTime() {}

  static Time of(Instant instant) throws IOException {
    var time = instant.atOffset(ZoneOffset.UTC);
    return time.getYear() < FIRST_LONG_YEAR
        ? of(BERTags.UTC_TIME, SHORT.format(time))
        : of(BERTags.GENERALIZED_TIME, LONG.format(time));
  }

  private static Time of(int tag, String text) throws IOException {
    var encoded = new byte[2 + text.length()];
    encoded[0] = (byte) tag;
    encoded[1] = (byte) text.length();
    System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, encoded, 2, text.length());
    return new Time(ASN1Primitive.fromByteArray(encoded));
  }
}
