package dev.muster.multicluster.dns;

import static dev.muster.multicluster.dns.DnsExchange.bytes;
import static dev.muster.multicluster.dns.DnsExchange.query;
import static dev.muster.multicluster.dns.DnsExchange.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final String WEB = "web.test.svc.clusterset.local.";

  private final ZoneIndex index = Imports.index(Imports.OPTIONS);
  private final DnsExchange server = new DnsExchange(index, 1232);

  private static void assertCode(DnsResponse response, DnsResponseCode code) {
    assertThat(response.code()).isEqualTo(code);
  }

  private static int answers(DnsResponse response) {
    return response.count(DnsSection.ANSWER);
  }

  private static void assertAuthority(DnsResponse response) {
    assertThat(response.isAuthoritativeAnswer()).isTrue();
    DnsRecord authority = response.recordAt(DnsSection.AUTHORITY);
    assertThat(authority.type()).isEqualTo(DnsRecordType.SOA);
    assertThat(authority.name()).isEqualTo("clusterset.local.");
    assertThat(authority.timeToLive()).isEqualTo(5);
  }

  private static DnsRecord edns(int payload, long flags) {
    return new DefaultDnsRawRecord(".", DnsRecordType.OPT, payload, flags, Unpooled.EMPTY_BUFFER);
  }

  @Test
  void anAnswerRepeatsTheQuestionAsItWasWritten() {
    var response = server.ask("wEb.TEST.svc.ClusterSet.local.", DnsRecordType.A);
    assertCode(response, DnsResponseCode.NOERROR);
    assertThat(response.id()).isEqualTo(4711);
    assertThat(response.isAuthoritativeAnswer()).isTrue();
    assertThat(response.isRecursionAvailable()).isFalse();
    assertThat(response.<DnsRecord>recordAt(DnsSection.QUESTION).name())
        .isEqualTo("wEb.TEST.svc.ClusterSet.local.");
    DnsRecord address = response.recordAt(DnsSection.ANSWER);
    assertThat(address.name()).isEqualTo("wEb.TEST.svc.ClusterSet.local.");
    assertThat(address.timeToLive()).isEqualTo(5);
  }

  @Test
  void aNameWithoutThatTypeHasNoDataAndAnAuthority() {
    for (var name :
        List.of(
            WEB,
            "svc.clusterset.local.",
            "test.svc.clusterset.local.",
            "_tcp." + WEB,
            "dns-version.clusterset.local.",
            "dns.clusterset.local.")) {
      var response = server.ask(name, DnsRecordType.MX);
      assertCode(response, DnsResponseCode.NOERROR);
      assertThat(answers(response)).isZero();
      assertAuthority(response);
    }
  }

  @Test
  void aNameThatIsNotThereIsDeniedWithAnAuthority() {
    for (var name :
        List.of(
            "absent.test.svc.clusterset.local.",
            "web.absent.svc.clusterset.local.",
            "absent.svc.clusterset.local.",
            "asleep.test.svc.clusterset.local.",
            "east.web.test.svc.clusterset.local.",
            "_https._tcp." + WEB,
            "pod.clusterset.local.",
            "1.0.0.10.in-addr.arpa.clusterset.local.")) {
      var response = server.ask(name, DnsRecordType.A);
      assertCode(response, DnsResponseCode.NXDOMAIN);
      assertAuthority(response);
    }
  }

  @Test
  void whatIsNotInTheZoneIsRefused() {
    for (var name :
        List.of("example.com.", ".", "local.", "notclusterset.local.", "1.0.0.10.in-addr.arpa.")) {
      var response = server.ask(name, DnsRecordType.A);
      assertCode(response, DnsResponseCode.REFUSED);
      assertThat(response.isAuthoritativeAnswer()).isFalse();
      assertThat(answers(response)).isZero();
    }
  }

  @Test
  void transfersAndOtherClassesAreRefused() {
    assertCode(server.ask("clusterset.local.", DnsRecordType.AXFR), DnsResponseCode.REFUSED);
    assertCode(server.ask("clusterset.local.", DnsRecordType.IXFR), DnsResponseCode.REFUSED);
    var chaos = new DefaultDnsQuestion("version.bind.", DnsRecordType.TXT, 3);
    assertCode(server.ask(query(chaos)), DnsResponseCode.REFUSED);
  }

  @Test
  void whoAsksForEverythingGetsAShortAnswer() {
    var response = server.ask("many.test.svc.clusterset.local.", DnsRecordType.ANY);
    assertThat(answers(response)).isEqualTo(1);
    assertThat(response.<DnsRecord>recordAt(DnsSection.ANSWER).type().intValue()).isEqualTo(13);
  }

  @Test
  void theZoneHasAnAuthorityAServerAndAVersion() {
    DnsRecord authority =
        server.ask("clusterset.local.", DnsRecordType.SOA).recordAt(DnsSection.ANSWER);
    assertThat(authority.type()).isEqualTo(DnsRecordType.SOA);
    assertThat(answers(server.ask("clusterset.local.", DnsRecordType.NS))).isEqualTo(1);
    assertThat(answers(server.ask("ns.dns.clusterset.local.", DnsRecordType.A))).isEqualTo(1);
    DefaultDnsRawRecord version =
        server.ask("dns-version.clusterset.local.", DnsRecordType.TXT).recordAt(DnsSection.ANSWER);
    assertThat(version.content().toString(StandardCharsets.US_ASCII)).isEqualTo("\u00051.0.0");
  }

  @Test
  void aServiceComesWithTheAddressesOfItsTargets() {
    var question = query("_http._tcp.db.test.svc.clusterset.local.", DnsRecordType.SRV);
    question.addRecord(DnsSection.ADDITIONAL, edns(1232, 0));
    var response = server.ask(question);
    assertThat(answers(response)).isEqualTo(4);
    assertThat(response.count(DnsSection.ADDITIONAL)).as("and the options").isEqualTo(5);
  }

  @Test
  void aLongAnswerIsCutToWhatTheClientTakes() {
    var name = "many.test.svc.clusterset.local.";
    var plain = server.send(bytes(query(name, DnsRecordType.A))).orElseThrow();
    assertThat(plain.length).isBetween(480, 512);
    assertThat(read(plain).isTruncated()).isTrue();
    var question = query(name, DnsRecordType.A);
    question.addRecord(DnsSection.ADDITIONAL, edns(4096, 0));
    var larger = server.send(bytes(question)).orElseThrow();
    assertThat(larger.length).isBetween(1200, 1232);
    assertThat(read(larger).isTruncated()).isTrue();
    var tiny = query(name, DnsRecordType.A);
    tiny.addRecord(DnsSection.ADDITIONAL, edns(3, 0));
    assertThat(server.send(bytes(tiny)).orElseThrow().length).isBetween(480, 512);
  }

  @Test
  void optionsAreAnsweredByOptions() {
    var question = query(WEB, DnsRecordType.A);
    question.addRecord(DnsSection.ADDITIONAL, edns(4096, 0x8000));
    DnsRecord options = server.ask(question).recordAt(DnsSection.ADDITIONAL);
    assertThat(options.type()).isEqualTo(DnsRecordType.OPT);
    assertThat(options.dnsClass()).isEqualTo(1232);
    assertThat(options.timeToLive()).as("DO is repeated").isEqualTo(0x8000);
    assertThat(server.ask(WEB, DnsRecordType.A).count(DnsSection.ADDITIONAL)).isZero();
  }

  @Test
  void anUnknownVersionOfOptionsIsSaidSo() {
    var question = query(WEB, DnsRecordType.A);
    question.addRecord(DnsSection.ADDITIONAL, edns(4096, 1L << 16));
    var response = server.ask(question);
    assertThat(answers(response)).isZero();
    DnsRecord options = response.recordAt(DnsSection.ADDITIONAL);
    assertThat(options.timeToLive() >> 24).as("BADVERS").isEqualTo(1);
  }

  @Test
  void optionsTwiceOrOfAnotherNameAreMalformed() {
    var twice = query(WEB, DnsRecordType.A);
    twice.addRecord(DnsSection.ADDITIONAL, edns(4096, 0));
    twice.addRecord(DnsSection.ADDITIONAL, edns(4096, 0));
    assertCode(server.ask(twice), DnsResponseCode.FORMERR);
  }

  @Test
  void otherOperationsAreNotThere() {
    for (int operation : new int[] {1, 2, 4, 5, 6, 15}) {
      var question = query(WEB, DnsRecordType.A);
      question.setOpCode(DnsOpCode.valueOf(operation));
      var response = server.ask(question);
      assertCode(response, DnsResponseCode.NOTIMP);
      assertThat(response.opCode().byteValue()).isEqualTo((byte) operation);
    }
  }

  @Test
  void noneOrSeveralQuestionsAreMalformed() {
    assertCode(server.ask(query()), DnsResponseCode.FORMERR);
    var question = new DefaultDnsQuestion(WEB, DnsRecordType.A);
    assertCode(server.ask(query(question, question)), DnsResponseCode.FORMERR);
  }

  @Test
  void answersShortMessagesAndPortZeroGetNoAnswer() {
    var message = bytes(query(WEB, DnsRecordType.A));
    message[2] |= (byte) 0x80;
    assertThat(server.send(message)).isEmpty();
    assertThat(server.send(new byte[11])).isEmpty();
    assertThat(server.send(new byte[0])).isEmpty();
    var nowhere = new InetSocketAddress("192.0.2.1", 0);
    assertThat(server.send(bytes(query(WEB, DnsRecordType.A)), nowhere)).isEmpty();
  }

  @Test
  void aDotInsideALabelIsNotADotBetweenLabels() {
    var message = bytes(query(WEB, DnsRecordType.A));
    assertThat(message[12]).isEqualTo((byte) 3);
    message[12] = 8;
    message[16] = '.';
    assertCode(read(server.send(message).orElseThrow()), DnsResponseCode.NXDOMAIN);
  }

  @Test
  void aNameThatPointsOrRunsOverIsMalformed() {
    var pointing = bytes(query(WEB, DnsRecordType.A));
    pointing[12] = (byte) 0xC0;
    pointing[13] = 12;
    assertCode(read(server.send(pointing).orElseThrow()), DnsResponseCode.FORMERR);
    var over = bytes(query(WEB, DnsRecordType.A));
    over[12] = 63;
    assertCode(read(server.send(over).orElseThrow()), DnsResponseCode.FORMERR);
  }

  @Test
  void nothingIsDeniedBeforeEverythingWasRead() {
    var young = new DnsExchange(new ZoneIndex(Imports.OPTIONS, 1), 1232);
    assertCode(young.ask(WEB, DnsRecordType.A), DnsResponseCode.SERVFAIL);
    assertCode(young.ask("example.com.", DnsRecordType.A), DnsResponseCode.REFUSED);
  }

  @Test
  void addressesTakeTurns() {
    var first = new HashSet<String>();
    for (int id = 0; id < 4; id++) {
      var question = query("db.test.svc.clusterset.local.", DnsRecordType.A);
      question.setId(id);
      DefaultDnsRawRecord address = server.ask(question).recordAt(DnsSection.ANSWER);
      first.add(ByteBufUtil.hexDump(address.content()));
    }
    assertThat(first).hasSize(3);
  }
}
