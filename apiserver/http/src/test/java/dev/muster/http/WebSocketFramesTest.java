package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server makes of the frames that a client of a WebSocket sends, byte by byte. */
@Tag("slow")
class WebSocketFramesTest {
  private static final int LONGEST = 1 << 20;
  private static final int CONTINUATION = 0;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int FIN = 0x80;

  /** What a handler hears: a message in hexadecimal digits, {@code end} or {@code gone}. */
  private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private TestServer start() {
    return TestServer.start(
        exchange -> {
          if (exchange.wantsWebSocket()) {
            exchange.webSocket(List.of(), new Hearing());
          } else {
            exchange.respond(ServerResponse.of(200, "text/plain", new byte[] {'k'}));
          }
        });
  }

  private final class Hearing implements BodyConsumer {
    @Override
    public void piece(byte[] bytes, Runnable taken) {
      heard.add(HexFormat.of().formatHex(bytes));
      taken.run();
    }

    @Override
    public void end() {
      heard.add("end");
    }

    @Override
    public void failed(int status, String message) {
      heard.add("gone");
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(60, TimeUnit.SECONDS));
  }

  private static SSLSocket open(TestServer server) throws IOException {
    var socket = RawTls.connect(server.port(), "http/1.1", 0);
    var answer =
        new RawHttp1(socket)
            .send(
                """
                GET /exec HTTP/1.1
                host: x
                connection: Upgrade
                upgrade: websocket
                sec-websocket-version: 13
                sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==

                """
                    .replace("\n", "\r\n"))
            .answer();
    assertThat(answer.status()).isEqualTo(101);
    return socket;
  }

  /** A frame as clients send it, masked. */
  private static byte[] frame(int first, byte[] payload, Random random) {
    var out = new ByteArrayOutputStream();
    out.write(first);
    int length = payload.length;
    if (length < 126) {
      out.write(0x80 | length);
    } else if (length < 65536) {
      out.write(0x80 | 126);
      out.write(length >> 8);
      out.write(length);
    } else {
      out.write(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) length >> shift));
      }
    }
    var mask = bytes(4, random);
    out.writeBytes(mask);
    for (int i = 0; i < length; i++) {
      out.write(payload[i] ^ mask[i % 4]);
    }
    return out.toByteArray();
  }

  private static byte[] bytes(int length, Random random) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static int length(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> 126;
      case 1 -> 65_536 + random.nextInt(100_000);
      case 2, 3, 4 -> 1 + random.nextInt(5_000);
      default -> 1 + random.nextInt(200);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void messagesArriveWholeHoweverTheyAreCutAndWhateverComesBetween(long seed) throws Exception {
    var random = new Random(seed);
    var sent = new ArrayDeque<String>();
    var pings = new ArrayDeque<byte[]>();
    var wire = new ByteArrayOutputStream();
    for (int message = 0; message < 60; message++) {
      var whole = bytes(length(random), random);
      sent.add(HexFormat.of().formatHex(whole));
      int opcode = BINARY;
      int at = 0;
      do {
        int some = random.nextBoolean() ? whole.length - at : random.nextInt(whole.length - at + 1);
        boolean last = at + some == whole.length;
        wire.writeBytes(
            frame(opcode | (last ? FIN : 0), Arrays.copyOfRange(whole, at, at + some), random));
        at += some;
        opcode = CONTINUATION;
        if (random.nextInt(3) == 0) {
          var ping = bytes(random.nextInt(126), random);
          pings.add(ping);
          wire.writeBytes(frame(FIN | PING, ping, random));
        }
      } while (at < whole.length);
    }
    wire.writeBytes(frame(FIN | CLOSE, new byte[] {0x03, (byte) 0xe8}, random));
    try (var server = start();
        var socket = open(server)) {
      sendInPieces(socket, wire.toByteArray(), random);
      for (var message : sent) {
        assertThat(next()).isEqualTo(message);
      }
      assertThat(next()).isEqualTo("end");
      var in = new DataInputStream(socket.getInputStream());
      for (var ping : pings) {
        assertThat(in.readUnsignedByte()).isEqualTo(0x8a);
        assertThat(in.readNBytes(in.readUnsignedByte())).isEqualTo(ping);
      }
      assertThat(in.readAllBytes())
          .as("a normal closure")
          .isEqualTo(new byte[] {(byte) 0x88, 2, 0x03, (byte) 0xe8});
    }
  }

  private static void sendInPieces(SSLSocket socket, byte[] wire, Random random)
      throws IOException {
    for (int at = 0; at < wire.length; ) {
      int some = Math.min(wire.length - at, 1 + random.nextInt(random.nextBoolean() ? 7 : 20_000));
      socket.getOutputStream().write(wire, at, some);
      at += some;
    }
  }

  @Test
  void aMessageOfVeryManyFragmentsArrivesWhole() throws Exception {
    var random = new Random(4);
    var whole = bytes(50_000, random);
    var wire = new ByteArrayOutputStream();
    for (int i = 0; i < whole.length; i++) {
      int opcode = i == 0 ? BINARY : CONTINUATION;
      int last = i == whole.length - 1 ? FIN : 0;
      wire.writeBytes(frame(opcode | last, new byte[] {whole[i]}, random));
    }
    try (var server = start();
        var socket = open(server)) {
      socket.getOutputStream().write(wire.toByteArray());
      assertThat(next()).isEqualTo(HexFormat.of().formatHex(whole));
    }
  }

  @Test
  void theLongestMessageIsTakenAndALongerOneEndsTheConnection() throws Exception {
    var random = new Random(5);
    var half = bytes(LONGEST / 2, random);
    try (var server = start();
        var socket = open(server)) {
      socket.getOutputStream().write(frame(BINARY, half, random));
      socket.getOutputStream().write(frame(FIN, half, random));
      assertThat(next()).hasSize(2 * LONGEST);
      socket.getOutputStream().write(frame(BINARY, half, random));
      socket.getOutputStream().write(frame(CONTINUATION, half, random));
      socket.getOutputStream().write(frame(FIN, new byte[] {1}, random));
      assertThat(next()).isEqualTo("gone");
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "no mask, 820161",
    "a reserved bit, c28100000000",
    "an unknown opcode, 838100000000",
    "a ping in fragments, 098000000000",
    "a long ping, 89fe007e00000000",
    "a continuation of nothing, 808100000000",
    "a message within another, 0281000000000282000000000000",
    "a message that is too long, 82ff000000000010000100000000",
    "a length below zero, 82ff800000000000000100000000",
    "a close code that nobody may send, 888200000000000a"
  })
  void whatBreaksTheRulesIsNoMessageAndEndsTheConnection(String what, String frames)
      throws Exception {
    try (var server = start();
        var socket = open(server)) {
      socket.getOutputStream().write(HexFormat.of().parseHex(frames));
      assertThat(next()).as(what).isEqualTo("gone");
      assertThat(socket.getInputStream().readAllBytes()).as(what).isEmpty();
      assertThat(heard).as(what).isEmpty();
    }
  }

  @Test
  void nonsenseHurtsNobodyElse() throws Exception {
    var random = new Random(6);
    try (var server = start();
        var other = open(server)) {
      for (int round = 0; round < 40; round++) {
        try (var socket = open(server)) {
          socket.getOutputStream().write(bytes(1 + random.nextInt(300), random));
        } catch (IOException e) {
          assertThat(e).as("the server has closed it").isNotNull();
        }
      }
      var message = bytes(100, random);
      var expected = HexFormat.of().formatHex(message);
      other.getOutputStream().write(frame(FIN | BINARY, message, random));
      while (!next().equals(expected)) {
        // what was heard of the others
      }
    }
  }

  /** Holds what it gets until it is let go. */
  private static final class Holding implements BodyConsumer {
    private final List<Runnable> held = new ArrayList<>();
    private int most;
    private int all;

    @Override
    public synchronized void piece(byte[] bytes, Runnable taken) {
      held.add(taken);
      all++;
      most = Math.max(most, held.size());
    }

    /** Lets go of what there is when nothing more has come for a while. */
    synchronized int release(int seen) {
      if (all == seen) {
        held.forEach(Runnable::run);
        held.clear();
      }
      return all;
    }

    synchronized int most() {
      return most;
    }

    @Override
    public void end() {}

    @Override
    public void failed(int status, String message) {}
  }

  @Test
  void verySmallMessagesAreHeldBackBeforeTheyAreMany() throws Exception {
    int count = 200_000;
    var holding = new Holding();
    var wire = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      wire.writeBytes(frame(FIN | BINARY, new byte[] {1}, new Random(1)));
    }
    try (var server = TestServer.start(exchange -> exchange.webSocket(List.of(), holding));
        var socket = open(server)) {
      var sending =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      socket.getOutputStream().write(wire.toByteArray());
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      var seen = new AtomicInteger();
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> seen.getAndSet(holding.release(seen.get())) == count);
      sending.join();
    }
    assertThat(holding.most()).isLessThan(40_000);
  }
}
