package dev.muster.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueFormatsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ipv4         | 1.2.3.4
          ipv4         | 01.2.3.4
          ipv4         | ::ffff:1.2.3.4
          ipv6         | 1200:0000:AB00:1234:0000:2552:7777:1313
          ipv6         | 2001:db8:3c4d:15:0:d234:3eee::
          ipv6         | ::ffff:1.2.3.4
          cidr         | 10.1.2.3/8
          cidr         | 010.1.2.3/8
          cidr         | 2001:DB8::/32
          mac          | 00:00:5e:00:53:01
          mac          | 02-00-5E-10-00-00-00-01
          mac          | 0000.5e00.5301
          uuid4        | 123E4567e89b42d3a456426614174000
          uu-id        | 123e4567-e89b-12d3-a456-426614174000
          isbn         | 978-0321751041
          isbn         | 0321751043
          isbn10       | 0-8044-2957-X
          isbn13       | 978 0321751041
          creditcard   | 4111-1111-1111-1111
          ssn          | 111-11 1111
          hexcolor     | fFf
          rgbcolor     | rgb( 0,10, 255)
          hostname     | a
          hostname     | 3com.example.example
          hostname     | straße.example
          email        | jo@example.com
          email        | Jo Doe <jo.doe+x@example.com>
          email        | "jo doe"@[10.0.0.1]
          uri          | /x?y=z
          uri          | mailto:jo
          uri          | *
          byte         | QUJD
          date         | 2024-02-29
          date-time    | 2024-02-29t23:59:59.5+05:00
          date--time   | 2024-02-29T23:59:59Z
          duration     | 1h30m
          duration     | 2 hours 3 MIN
          duration     | 1 day 5 moons
          bsonobjectid | 507f1f77bcf86cd799439011
          password     | anything
          k8s-short-name | a-b
          k8s-long-name  | a.b
          moon-phase   | anything
          """)
  void takes(String format, String text) {
    assertThat(ValueFormats.isSound(format, text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ipv6         | ::ffff:1.2.3.04
          ipv4         | ::1
          ipv6         | 1.2.3.4
          ipv6         | fe80::1%eth0
          ipv6         | 1:2:3:4:5:6:7:8::
          cidr         | 10.1.2.3
          cidr         | 10.1.2.3/33
          mac          | 00:00:5e:00:53
          mac          | 00:00:5e-00:53:01
          mac          | 00:00:5e:00:53:0g
          uuid4        | 123e4567-e89b-12d3-a456-426614174000
          isbn10       | 0321751044
          isbn13       | 978-0321751042
          isbn         | x
          creditcard   | 4111-1111-1111-1112
          creditcard   | 1111
          ssn          | 111111111
          hexcolor     | #ffff
          rgbcolor     | rgb(0,10,256)
          rgbcolor     | rgb(0,10)
          hostname     | -a.example
          hostname     | a.b
          hostname     | a_b.example
          email        | jo
          email        | jo@
          email        | jo..doe@example.com
          email        | Jo jo@example.com
          uri          | x
          uri          | ``
          byte         | QUJ
          byte         | ``
          date         | 2023-02-29
          date-time    | 2023-02-28T24:00:00Z
          date-time    | 2023-02-28 23:00:00Z
          date-time    | 2023-02-28T23:00:00
          duration     | 5
          duration     | 5 moons
          duration     | an hour
          bsonobjectid | 507f1f77bcf86cd79943901
          k8s-short-name | a.b
          k8s-long-name  | A
          """)
  void refuses(String format, String text) {
    assertThat(ValueFormats.isSound(format, text)).isFalse();
  }

  @Test
  void longTextsAreNoneWithoutFurtherAdo() {
    var letters = "a".repeat(1_000_000);
    for (var format : new String[] {"hostname", "email", "mac", "isbn", "duration", "uri"}) {
      assertThat(ValueFormats.isSound(format, letters + "!")).as(format).isFalse();
    }
    assertThat(ValueFormats.isSound("email", "\"" + letters)).isFalse();
    assertThat(ValueFormats.isSound("email", "a.".repeat(1_000_000) + "a@b")).isFalse();
    assertThat(ValueFormats.isSound("duration", "1 ".repeat(500_000))).isFalse();
  }
}
