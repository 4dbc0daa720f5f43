package dev.muster.multicluster.dns;

import dev.muster.multicluster.services.ServiceName;
import io.netty.handler.codec.dns.DnsRecordType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All names of the zone. Each service is an immutable set of names that is replaced as a whole, so
 * a change costs as much as its service, and a reader never sees half a change. Any thread reads it
 * without a lock; one thread at a time writes.
 */
public final class ZoneIndex {
  private final ZoneOptions options;
  private final String suffix;
  private final Map<String, NameRecords> fixed;
  private final ConcurrentMap<ServiceName, Map<String, NameRecords>> services =
      new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> namespaces = new ConcurrentHashMap<>();
  private final AtomicLong records = new AtomicLong();
  private volatile boolean complete;
  private volatile ZoneRecord authority;
  private int serial;

  /**
   * @param serial the initial serial of the zone; it grows with each change
   */
  public ZoneIndex(ZoneOptions options, int serial) {
    this.options = options;
    this.suffix = "." + options.zone();
    this.serial = serial;
    var server = "ns.dns" + suffix;
    authority = ZoneRecord.authority(options.zone(), server, serial, options.ttl());
    fixed =
        Map.of(
            "", NameRecords.of(List.of(ZoneRecord.nameServer(server, options.ttl()))),
            "svc", NameRecords.NONE,
            "dns", NameRecords.NONE,
            "dns-version", NameRecords.of(List.of(ZoneRecord.text("1.0.0", options.ttl()))),
            "ns.dns",
                NameRecords.of(
                    options.nameServers().stream()
                        .map(address -> ZoneRecord.address(address, options.ttl()))
                        .toList()));
  }

  /** The result of looking a name up. */
  sealed interface Found {
    /** The name is in the zone and exists, perhaps without records. */
    record Name(NameRecords records) implements Found {}

    /** The name is in the zone and does not exist. */
    record Nothing() implements Found {}

    /** The name is outside the zone. */
    record Elsewhere() implements Found {}
  }

  private static final Found NOTHING = new Found.Nothing();
  private static final Found ELSEWHERE = new Found.Elsewhere();

  /** Looks a canonical name up. */
  Found find(String name) {
    if (name.equals(options.zone())) {
      return name("");
    }
    if (!name.endsWith(suffix)) {
      return ELSEWHERE;
    }
    var relative = name.substring(0, name.length() - suffix.length());
    return relative.endsWith(".svc")
        ? ofServices(relative.substring(0, relative.length() - ".svc".length()))
        : name(relative);
  }

  private Found name(String relative) {
    var found = fixed.get(relative);
    return found == null ? NOTHING : new Found.Name(found);
  }

  private Found ofServices(String relative) {
    int beforeNamespace = relative.lastIndexOf('.');
    var namespace = relative.substring(beforeNamespace + 1);
    if (beforeNamespace < 0) {
      return namespaces.containsKey(namespace) ? new Found.Name(NameRecords.NONE) : NOTHING;
    }
    int beforeService = relative.lastIndexOf('.', beforeNamespace - 1);
    var service = relative.substring(beforeService + 1, beforeNamespace);
    var names = services.get(new ServiceName(namespace, service));
    if (names == null) {
      return NOTHING;
    }
    var found = names.get(beforeService < 0 ? "" : relative.substring(0, beforeService));
    return found == null ? NOTHING : new Found.Name(found);
  }

  /** Replaces all names of a service; an empty map removes it. */
  synchronized void put(ServiceName service, Map<String, NameRecords> names) {
    var before =
        names.isEmpty() ? services.remove(service) : services.put(service, Map.copyOf(names));
    if (names.isEmpty() && before == null) {
      return;
    }
    if (before == null) {
      namespaces.merge(service.namespace(), 1, Integer::sum);
    } else if (names.isEmpty()) {
      namespaces.computeIfPresent(
          service.namespace(), (namespace, count) -> count == 1 ? null : count - 1);
    }
    records.addAndGet(count(names) - (before == null ? 0L : count(before)));
    serial++;
    authority = ZoneRecord.authority(options.zone(), "ns.dns" + suffix, serial, options.ttl());
  }

  private static long count(Map<String, NameRecords> names) {
    return names.values().stream().mapToLong(NameRecords::count).sum();
  }

  /** Marks the index complete: from now on, an absent name does not exist. */
  void completed() {
    complete = true;
  }

  /** Whether the index is complete. */
  public boolean complete() {
    return complete;
  }

  ZoneRecord authority() {
    return authority;
  }

  /** Whether this is the zone's own name, of which the SOA record can be queried. */
  boolean isApex(String name, DnsRecordType type) {
    return type.equals(DnsRecordType.SOA) && name.equals(options.zone());
  }

  int ttl() {
    return options.ttl();
  }

  public int services() {
    return services.size();
  }

  public long records() {
    return records.get();
  }
}
