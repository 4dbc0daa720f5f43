package dev.muster.multicluster.dns;

import io.netty.handler.codec.dns.DnsRecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of one name. A name without records exists because names below it exist (RFC 8020).
 *
 * @param additional addresses of the targets of the name's SRV records
 */
record NameRecords(Map<DnsRecordType, List<ZoneRecord>> byType, List<ZoneRecord> additional) {
  static final NameRecords NONE = new NameRecords(Map.of(), List.of());

  NameRecords {
    byType = Map.copyOf(byType);
    additional = List.copyOf(additional);
  }

  static NameRecords of(List<ZoneRecord> records) {
    return of(records, List.of());
  }

  static NameRecords of(List<ZoneRecord> records, List<ZoneRecord> additional) {
    var byType = new HashMap<DnsRecordType, List<ZoneRecord>>();
    for (var record : records) {
      byType.computeIfAbsent(record.type(), type -> new ArrayList<>()).add(record);
    }
    byType.replaceAll((type, list) -> List.copyOf(list));
    return new NameRecords(byType, additional);
  }

  List<ZoneRecord> ofType(DnsRecordType type) {
    return byType.getOrDefault(type, List.of());
  }

  int count() {
    return byType.values().stream().mapToInt(List::size).sum();
  }
}
