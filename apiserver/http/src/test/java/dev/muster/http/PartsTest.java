package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies whose parts are made while they are sent. */
class PartsTest {
  private static final int PART = 50_000;

  /** Parts of random bytes in uneven slices; after {@code good} of them, one fails. */
  private static final class Parts implements Iterator<SharedBytes> {
    private final Random random = new Random(1);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final int count;
    private final int good;
    private int made;

    Parts(int count, int good) {
      this.count = count;
      this.good = good;
    }

    @Override
    public boolean hasNext() {
      return made < count;
    }

    @Override
    public SharedBytes next() {
      if (made == good) {
        throw new IllegalStateException("cannot be made, on purpose");
      }
      made++;
      var array = new byte[PART + 20];
      random.nextBytes(array);
      var sharedBytes = new SharedBytes();
      int at = 10;
      while (at < 10 + PART) {
        int length = Math.min(1 + random.nextInt(9000), 10 + PART - at);
        sharedBytes.add(array, at, length);
        at += length;
      }
      sent.write(array, 10, PART);
      return sharedBytes;
    }
  }

  private static HttpResponse<byte[]> get(
      HttpClient.Version version, Parts parts, String acceptEncoding)
      throws IOException, InterruptedException {
    var head = ServerResponse.of(200, "text/plain", new byte[0]);
    try (var server = TestServer.start(exchange -> exchange.respond(head, parts));
        var client = TestServer.client(version)) {
      var request =
          HttpRequest.newBuilder(server.uri("/")).header("accept-encoding", acceptEncoding).build();
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void arriveWholeWhetherFewOrMany(HttpClient.Version version) throws Exception {
    for (int count : new int[] {1, 2, 3, 200}) {
      var parts = new Parts(count, -1);
      var answer = get(version, parts, "identity");
      assertThat(answer.body()).as("%d parts", count).isEqualTo(parts.sent.toByteArray());
      assertThat(answer.headers().firstValue("content-length").isPresent()).isEqualTo(count < 3);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void areCompressedWhenThatIsAskedForAndTheyAreMany(HttpClient.Version version) throws Exception {
    var parts = new Parts(20, -1);
    var answer = get(version, parts, "gzip");
    assertThat(answer.headers().firstValue("content-encoding")).hasValue("gzip");
    try (var in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(in.readAllBytes()).isEqualTo(parts.sent.toByteArray());
    }
    var few = get(version, new Parts(2, -1), "gzip");
    assertThat(few.headers().firstValue("content-encoding")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aPartThatFailsCutsTheBodyOffAndIsNoCleanEnd(HttpClient.Version version) {
    for (var encoding : List.of("identity", "gzip")) {
      assertThatThrownBy(() -> get(version, new Parts(100, 60), encoding))
          .as(encoding)
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aPartThatFailsBeforeAnythingIsSentIsAnError(HttpClient.Version version) throws Exception {
    assertThat(get(version, new Parts(100, 0), "identity").statusCode()).isEqualTo(500);
    assertThat(get(version, new Parts(100, 0), "gzip").statusCode()).isEqualTo(500);
  }
}
