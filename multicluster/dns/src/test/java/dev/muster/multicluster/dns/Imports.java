package dev.muster.multicluster.dns;

import dev.muster.multicluster.dns.ImportedService.ServicePort;
import dev.muster.multicluster.dns.ImportedSlice.ReadyEndpoint;
import dev.muster.multicluster.services.ServiceName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A zone with services of every kind, as tests ask for them. */
final class Imports {
  static final ZoneOptions OPTIONS =
      new ZoneOptions(
          "clusterset.local",
          Duration.ofSeconds(5),
          false,
          List.of(InetAddress.ofLiteral("192.0.2.53")));
  static final List<ServicePort> HTTP = List.of(new ServicePort("http", "TCP", 80));

  private Imports() {}

  static ImportedService balanced(String name, String... addresses) {
    return new ImportedService(
        new ServiceName("test", name),
        false,
        Arrays.stream(addresses).map(InetAddress::ofLiteral).toList(),
        HTTP);
  }

  static ImportedService headless(String name) {
    return new ImportedService(new ServiceName("test", name), true, List.of(), HTTP);
  }

  static ImportedSlice slice(String service, String cluster, ReadyEndpoint... endpoints) {
    return new ImportedSlice(
        service + "-" + cluster,
        new ServiceName("test", service),
        cluster,
        HTTP,
        List.of(endpoints));
  }

  static ReadyEndpoint endpoint(String hostname, String address) {
    return new ReadyEndpoint(hostname, List.of(InetAddress.ofLiteral(address)));
  }

  /** The zone of the tests; complete. */
  static ZoneIndex index(ZoneOptions options) {
    var index = new ZoneIndex(options, 7);
    put(index, options, balanced("web", "10.9.0.1", "fd00:9::1"));
    put(
        index,
        options,
        headless("db"),
        slice("db", "east", endpoint("db-0", "10.1.0.1"), endpoint("", "10.1.0.2")),
        slice("db", "west.example.com", endpoint("db-0", "10.2.0.1"), endpoint("db-1", "fd00::1")));
    put(index, options, headless("asleep"), slice("asleep", "east"));
    put(
        index,
        options,
        headless("many"),
        slice(
            "many",
            "east",
            IntStream.range(0, 400)
                .mapToObj(i -> endpoint("many-" + i, "10.7." + i / 200 + "." + i % 200))
                .toArray(ReadyEndpoint[]::new)));
    index.completed();
    return index;
  }

  static void put(
      ZoneIndex index, ZoneOptions options, ImportedService service, ImportedSlice... slices) {
    index.put(service.name(), ServiceRecords.of(service, List.of(slices), options));
  }
}
