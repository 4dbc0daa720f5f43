package dev.muster.multicluster.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@NeedsProgram("dig")
class DnsServerTest {
  private static final String WEB = "web.test.svc.clusterset.local";
  private static final String DB = "db.test.svc.clusterset.local";

  private static final ZoneIndex INDEX = Imports.index(Imports.OPTIONS);
  private static final DnsMetrics METRICS = new DnsMetrics(INDEX);
  private static DnsServer server;
  private static Dig dig;

  private static ListenAddresses listen(int port, Duration idle, int connections) {
    var addresses = List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
    return new ListenAddresses(addresses, port, 2, 1232, idle, connections);
  }

  @BeforeAll
  static void start() throws Exception {
    server = DnsServer.start(listen(0, Duration.ofSeconds(30), 100), INDEX, METRICS);
    dig = new Dig(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void digFindsEveryKindOfName(String address) {
    assertThat(dig.answers(address, WEB, "A")).containsExactly("10.9.0.1");
    assertThat(dig.answers(address, WEB, "AAAA")).containsExactly("fd00:9::1");
    assertThat(dig.answers(address, "_http._tcp." + WEB, "SRV"))
        .containsExactly("0 1 80 " + WEB + ".");
    assertThat(dig.answers(address, DB, "A")).containsExactly("10.1.0.1", "10.1.0.2", "10.2.0.1");
    assertThat(dig.answers(address, "east." + DB, "A")).containsExactly("10.1.0.1", "10.1.0.2");
    assertThat(dig.answers(address, "west.example.com." + DB, "AAAA")).containsExactly("fd00::1");
    assertThat(dig.answers(address, "db-0.west.example.com." + DB, "A"))
        .containsExactly("10.2.0.1");
    assertThat(dig.answers(address, "_http._tcp." + DB, "SRV"))
        .containsExactly(
            "0 1 80 10-1-0-2.east." + DB + ".",
            "0 1 80 db-0.east." + DB + ".",
            "0 1 80 db-0.west.example.com." + DB + ".",
            "0 1 80 db-1.west.example.com." + DB + ".");
    assertThat(dig.answers(address, "dns-version.clusterset.local", "TXT"))
        .containsExactly("\"1.0.0\"");
    assertThat(dig.answers(address, "clusterset.local", "NS"))
        .containsExactly("ns.dns.clusterset.local.");
    assertThat(dig.answers(address, WEB, "A", "+tcp")).containsExactly("10.9.0.1");
  }

  @Test
  void digSeesCodesFlagsAndTheAuthority() {
    var found = dig.all("@127.0.0.1", WEB, "A");
    assertThat(found).contains("status: NOERROR", "flags: qr aa rd;", "udp: 1232");
    assertThat(found).doesNotContain("WARNING: Message");
    var absent = dig.all("@127.0.0.1", "absent.test.svc.clusterset.local", "A");
    assertThat(absent).contains("status: NXDOMAIN", "AUTHORITY: 1", "hostmaster.clusterset.local.");
    assertThat(dig.all("@127.0.0.1", WEB, "MX")).contains("status: NOERROR", "AUTHORITY: 1");
    assertThat(dig.all("@127.0.0.1", "example.com", "A")).contains("status: REFUSED");
    assertThat(dig.all("@127.0.0.1", WEB, "A", "+edns=1", "+noednsneg"))
        .contains("status: BADVERS");
    assertThat(dig.all("@127.0.0.1", WEB, "A", "+opcode=NOTIFY")).contains("status: NOTIMP");
    assertThat(dig.all("@127.0.0.1", WEB, "A", "+header-only")).contains("status: FORMERR");
    assertThat(dig.all("@127.0.0.1", WEB, "A", "+dnssec")).contains("flags: do;");
    assertThat(dig.all("@127.0.0.1", WEB, "A", "+cookie", "+nsid")).contains("status: NOERROR");
  }

  @Test
  void aLongAnswerIsCutByUdpAndWholeByTcp() {
    var name = "many.test.svc.clusterset.local";
    assertThat(dig.all("@127.0.0.1", name, "A", "+ignore")).contains("flags: qr aa tc rd;");
    assertThat(dig.all("@127.0.0.1", name, "A", "+ignore", "+noedns"))
        .contains("flags: qr aa tc rd;", "MSG SIZE  rcvd: 5");
    assertThat(dig.answers("127.0.0.1", name, "A")).hasSize(400);
    assertThat(dig.answers("::1", name, "A")).hasSize(400);
  }

  @Test
  void aConnectionTakesManyQueries() {
    var text = dig.all("@127.0.0.1", "+tcp", "+keepopen", WEB, "A", DB, "A", WEB, "AAAA");
    assertThat(text.split("status: NOERROR", -1)).hasSize(4);
  }

  @Test
  void silentAndSuperfluousConnectionsAreClosed() throws IOException {
    try (var strict = DnsServer.start(listen(0, Duration.ofMillis(300), 1), INDEX, METRICS);
        var silent = new Socket(InetAddress.ofLiteral("127.0.0.1"), strict.port());
        var more = new Socket(InetAddress.ofLiteral("127.0.0.1"), strict.port())) {
      assertThat(more.getInputStream().read()).isEqualTo(-1);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      var again = new Dig(strict.port());
      await()
          .untilAsserted(
              () ->
                  assertThat(again.answers("127.0.0.1", WEB, "A", "+tcp"))
                      .containsExactly("10.9.0.1"));
    }
  }

  @Test
  void whatIsTooLongForAQueryEndsItsConnectionOnly() throws IOException {
    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
      socket.getOutputStream().write(new byte[] {(byte) 0xFF, (byte) 0xFF, 1, 2, 3});
      socket.getOutputStream().flush();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(dig.answers("127.0.0.1", WEB, "A", "+tcp")).containsExactly("10.9.0.1");
  }

  @Test
  void allInterfacesAreBothFamilies() throws Exception {
    var everywhere =
        new ListenAddresses(ListenAddresses.everywhere(), 0, 1, 1232, Duration.ofSeconds(30), 10);
    try (var open = DnsServer.start(everywhere, INDEX, METRICS)) {
      var both = new Dig(open.port());
      assertThat(both.answers("127.0.0.1", WEB, "A")).containsExactly("10.9.0.1");
      assertThat(both.answers("::1", WEB, "A")).containsExactly("10.9.0.1");
      assertThat(both.answers("127.0.0.1", WEB, "A", "+tcp")).containsExactly("10.9.0.1");
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    assertThatThrownBy(
            () -> DnsServer.start(listen(server.port(), Duration.ofSeconds(1), 1), INDEX, METRICS))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("127.0.0.1 port " + server.port());
  }

  @Test
  void metricsCountAnswersAndSayWhetherNamesAreKnown() throws Exception {
    dig.answers("127.0.0.1", WEB, "A");
    dig.answers("127.0.0.1", WEB, "A", "+tcp");
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = MetricsListener.start(loopback, METRICS, INDEX);
        var http = HttpClient.newHttpClient()) {
      var base = "http://127.0.0.1:" + listener.port();
      assertThat(get(http, base + "/metrics").body())
          .containsPattern("muster_dns_responses_total\\{proto=\"udp\",rcode=\"NOERROR\"} [1-9]")
          .containsPattern("muster_dns_responses_total\\{proto=\"tcp\",rcode=\"NOERROR\"} [1-9]")
          .contains("muster_dns_services 3.0", "muster_dns_synced 1.0");
      assertThat(get(http, base + "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(http, base + "/livez").statusCode()).isEqualTo(200);
      assertThat(get(http, base + "/other").statusCode()).isEqualTo(404);
    }
  }

  private static HttpResponse<String> get(HttpClient http, String uri) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(uri)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
