package dev.muster.multicluster.dns;

import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers DNS queries as the authority for one zone. Thread-safe. */
final class Answers {
  /** The datagram size that every receiver accepts (RFC 1035). */
  static final int SMALLEST_LIMIT = 512;

  private static final int HEAD = 12;
  private static final int TKEY = 249;
  private static final int TSIG = 250;
  private static final int BAD_VERSION = 16;
  private static final long DNSSEC_OK = 0x8000;

  private final ZoneIndex index;
  private final int largestDatagram;

  /**
   * @param largestDatagram the largest datagram to send, whatever its receiver accepts
   */
  Answers(ZoneIndex index, int largestDatagram) {
    this.index = index;
    this.largestDatagram = largestDatagram;
  }

  /**
   * Fills the response and returns its code.
   *
   * @param most the longest message of the transport; datagrams have further limits
   */
  int answer(DnsQuery query, DnsResponse response, boolean datagram, int most) {
    response.setRecursionDesired(query.isRecursionDesired());
    response.setOpCode(query.opCode());
    response.setZ(query.z() & 1);
    var options = options(query);
    if (options.size() > 1 || !options.stream().allMatch(option -> option.name().equals("."))) {
      response.setCode(DnsResponseCode.FORMERR);
    } else if (query.count(DnsSection.QUESTION) == 1
        && query.recordAt(DnsSection.QUESTION) instanceof WireQuestion question) {
      var option = options.isEmpty() ? null : options.getFirst();
      int limit = (datagram ? datagramLimit(option) : most) - HEAD - question.size();
      response.addRecord(DnsSection.QUESTION, question);
      if (option == null) {
        fill(query, question, response, limit);
      } else if (version(option) == 0) {
        var reply = reply(option, 0);
        fill(query, question, response, limit - reply.size());
        response.addRecord(DnsSection.ADDITIONAL, reply);
      } else {
        response.addRecord(DnsSection.ADDITIONAL, reply(option, BAD_VERSION >> 4));
        return BAD_VERSION;
      }
    } else {
      response.setCode(
          query.opCode().equals(DnsOpCode.QUERY)
              ? DnsResponseCode.FORMERR
              : DnsResponseCode.NOTIMP);
    }
    return response.code().intValue();
  }

  private void fill(DnsQuery query, WireQuestion question, DnsResponse response, int limit) {
    int type = question.type().intValue();
    if (!query.opCode().equals(DnsOpCode.QUERY)) {
      response.setCode(DnsResponseCode.NOTIMP);
    } else if (type == DnsRecordType.OPT.intValue() || type == TKEY || type == TSIG) {
      response.setCode(DnsResponseCode.FORMERR);
    } else if (question.dnsClass() != DnsRecord.CLASS_IN
        || type == DnsRecordType.AXFR.intValue()
        || type == DnsRecordType.IXFR.intValue()) {
      response.setCode(DnsResponseCode.REFUSED);
    } else {
      var name = DnsLabels.canonical(question.name());
      switch (index.find(name)) {
        case ZoneIndex.Found.Elsewhere() -> response.setCode(DnsResponseCode.REFUSED);
        case ZoneIndex.Found.Nothing() -> absent(response, limit);
        case ZoneIndex.Found.Name(var records) -> {
          if (question.plain()) {
            found(name, question.type(), records, query.id(), response, limit);
          } else {
            absent(response, limit);
          }
        }
      }
    }
  }

  private void absent(DnsResponse response, int limit) {
    if (!index.complete()) {
      response.setCode(DnsResponseCode.SERVFAIL);
      return;
    }
    response.setAuthoritativeAnswer(true);
    response.setCode(DnsResponseCode.NXDOMAIN);
    add(response, DnsSection.AUTHORITY, List.of(index.authority()), 0, limit);
  }

  private void found(
      String name,
      DnsRecordType type,
      NameRecords records,
      int id,
      DnsResponse response,
      int limit) {
    if (!index.complete()) {
      response.setCode(DnsResponseCode.SERVFAIL);
      return;
    }
    response.setAuthoritativeAnswer(true);
    List<ZoneRecord> answer;
    if (index.isApex(name, type)) {
      answer = List.of(index.authority());
    } else if (type.equals(DnsRecordType.ANY) && records.count() > 0) {
      answer = List.of(ZoneRecord.instead(index.ttl()));
    } else {
      answer = records.ofType(type);
    }
    if (answer.isEmpty()) {
      add(response, DnsSection.AUTHORITY, List.of(index.authority()), 0, limit);
      return;
    }
    // Queries have distinct IDs, so clients that use the first address are spread over the
    // addresses.
    int left = add(response, DnsSection.ANSWER, answer, id % answer.size(), limit);
    if (left < 0) {
      response.setTruncated(true);
    } else if (type.equals(DnsRecordType.SRV)) {
      add(response, DnsSection.ADDITIONAL, records.additional(), 0, left);
    }
  }

  /** Adds records as long as they fit. Returns the remaining room; negative if some did not fit. */
  private static int add(
      DnsResponse response, DnsSection section, List<ZoneRecord> records, int first, int limit) {
    int left = limit;
    for (int i = 0; i < records.size(); i++) {
      var record = records.get((first + i) % records.size());
      if (record.size() > left) {
        return -1;
      }
      left -= record.size();
      response.addRecord(section, record);
    }
    return left;
  }

  private int datagramLimit(@Nullable DnsRecord options) {
    int taken = options == null ? SMALLEST_LIMIT : options.dnsClass();
    return Math.min(Math.max(taken, SMALLEST_LIMIT), largestDatagram);
  }

  /** The EDNS records: at most one in a valid query. */
  private static List<DnsRecord> options(DnsQuery query) {
    int count = query.count(DnsSection.ADDITIONAL);
    if (count == 0) {
      return List.of();
    }
    var found = new ArrayList<DnsRecord>(1);
    for (int i = 0; i < count; i++) {
      DnsRecord record = query.recordAt(DnsSection.ADDITIONAL, i);
      if (record.type().equals(DnsRecordType.OPT)) {
        found.add(record);
      }
    }
    return found;
  }

  private static int version(DnsRecord options) {
    return (int) (options.timeToLive() >> 16) & 0xFF;
  }

  private ZoneRecord reply(DnsRecord options, int extendedCode) {
    boolean dnssecOk = (options.timeToLive() & DNSSEC_OK) != 0;
    return ZoneRecord.options(largestDatagram, extendedCode, dnssecOk);
  }
}
