package dev.muster.multicluster.dns;

import static dev.muster.multicluster.dns.DnsExchange.bytes;
import static dev.muster.multicluster.dns.DnsExchange.query;
import static dev.muster.multicluster.dns.DnsExchange.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever arrives, there is one readable answer at the most, and never a long one. */
class HostileQueriesTest {
  private static final int MESSAGES = 20_000;
  private static final int LARGEST = 1232;

  private final DnsExchange server = new DnsExchange(Imports.index(Imports.OPTIONS), LARGEST);

  private static List<byte[]> seeds() {
    var seeds = new ArrayList<byte[]>();
    for (var name :
        List.of(
            "web.test.svc.clusterset.local.",
            "many.test.svc.clusterset.local.",
            "_http._tcp.many.test.svc.clusterset.local.",
            "db-0.west.example.com.db.test.svc.clusterset.local.",
            "absent.test.svc.clusterset.local.",
            "clusterset.local.",
            ".")) {
      for (var type : List.of(DnsRecordType.A, DnsRecordType.SRV, DnsRecordType.ANY)) {
        seeds.add(bytes(query(name, type)));
        var options = query(name, type);
        options.addRecord(
            DnsSection.ADDITIONAL,
            new DefaultDnsRawRecord(
                ".",
                DnsRecordType.OPT,
                65_535,
                0,
                Unpooled.wrappedBuffer(new byte[] {0, 10, 0, 2, 1, 2})));
        seeds.add(bytes(options));
      }
    }
    return seeds;
  }

  private static byte[] mutated(Random random, List<byte[]> seeds) {
    var message = seeds.get(random.nextInt(seeds.size())).clone();
    for (int i = random.nextInt(5); i >= 0; i--) {
      int at = random.nextInt(message.length);
      switch (random.nextInt(5)) {
        case 0 -> message[at] = (byte) random.nextInt(256);
        case 1 -> message[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> message = Arrays.copyOf(message, Math.max(1, at));
        case 3 -> {
          var longer = Arrays.copyOf(message, message.length + random.nextInt(40));
          for (int j = message.length; j < longer.length; j++) {
            longer[j] = (byte) random.nextInt(256);
          }
          message = longer;
        }
        default -> {
          // Counts of sections, compression pointers, lengths.
          message[at] = (byte) (random.nextBoolean() ? 0xC0 : 0xFF);
        }
      }
    }
    return message;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void mutatedQueriesAreAnsweredShortlyOrNotAtAll(long seed) {
    var random = new Random(seed);
    var seeds = seeds();
    int answered = 0;
    for (int i = 0; i < MESSAGES; i++) {
      var message = mutated(random, seeds);
      answered += check(message);
    }
    assertThat(answered).isGreaterThan(MESSAGES / 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void noiseIsAnsweredShortlyOrNotAtAll(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < MESSAGES; i++) {
      var message = new byte[random.nextInt(200)];
      random.nextBytes(message);
      check(message);
    }
  }

  private int check(byte[] message) {
    var answer = server.send(message);
    boolean isQuery = message.length >= 12 && (message[2] & 0x80) == 0;
    assertThat(answer.isPresent()).as(() -> Arrays.toString(message)).isEqualTo(isQuery);
    if (answer.isEmpty()) {
      return 0;
    }
    var bytes = answer.get();
    assertThat(bytes.length).isBetween(12, LARGEST);
    assertThat(bytes[0]).isEqualTo(message[0]);
    assertThat(bytes[1]).isEqualTo(message[1]);
    assertThat(bytes[2] & 0x80).as("it is an answer").isEqualTo(0x80);
    int questions = ((bytes[4] & 0xFF) << 8) | (bytes[5] & 0xFF);
    if (questions == 1 && plain(bytes)) {
      read(bytes).release();
    }
    return 1;
  }

  /** The codec refuses to show people names of other characters, though they are names. */
  private static boolean plain(byte[] answer) {
    int at = 12;
    while (answer[at] != 0) {
      for (int last = at + answer[at]; at < last; at++) {
        if (!Character.isLetterOrDigit(answer[at + 1]) && "-_".indexOf(answer[at + 1]) < 0) {
          return false;
        }
      }
      at++;
    }
    return true;
  }
}
