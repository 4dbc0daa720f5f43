package dev.muster.multicluster.conformance;

import dev.muster.model.address.Ip;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Observes a fleet for a while and writes nothing. Not thread-safe. Blocks the caller.
 *
 * @param servers the given servers of one fleet, by the names in findings
 */
record FleetWatch(SortedMap<String, KubernetesClient> servers) {
  private static final String SERVICE = "kubernetes";
  private static final int CONNECT_MILLIS = 1000;

  /** The metric in which a server publishes its ID. */
  static final Pattern IDENTITY =
      Pattern.compile("^apiserver_identity_info\\{.*apiserver_id=\"([^\"]*)\"", Pattern.MULTILINE);

  /** If two reads of discovery differ, the fleet is changing, and it is read again. */
  private static final int LOOKS = 5;

  FleetObservation observe(Duration time, Pause pause) throws InterruptedException {
    var client = servers.firstEntry().getValue();
    var before = new HashMap<String, Lease>();
    for (var lease : leases(client)) {
      before.put(lease.getMetadata().getUid(), lease);
    }
    var history = new PublishedHistory();
    var watches = new ArrayList<Watch>();
    try {
      watch(client, history, watches);
      pause.rest(time);
    } finally {
      watches.forEach(Watch::close);
    }
    var after = leases(client);
    var identities =
        after.stream()
            .map(
                lease ->
                    FleetIdentity.of(
                        lease, Optional.ofNullable(before.get(lease.getMetadata().getUid()))))
            .toList();
    var published = published(client);
    var reader = new DiscoveryReader(client);
    var discovery = discovery();
    for (int look = 1; look < LOOKS; look++) {
      var again = discovery();
      if (settled(again).equals(settled(discovery))) {
        break;
      }
      discovery = again;
      pause.rest(Duration.ofMillis(500));
    }
    return new FleetObservation(
        time,
        identities,
        collected(before, after),
        discovery,
        published,
        history,
        reader.ranges(),
        unreached(published.sockets()));
  }

  /** Waits. */
  interface Pause {
    void rest(Duration time) throws InterruptedException;
  }

  private SortedMap<String, FleetObservation.Discovery> discovery() {
    var found = new TreeMap<String, FleetObservation.Discovery>();
    servers.forEach((name, client) -> found.put(name, new DiscoveryReader(client).read()));
    return found;
  }

  /** Without heartbeats, which change all the time. */
  private static List<Object> settled(SortedMap<String, FleetObservation.Discovery> discovery) {
    var found = new ArrayList<Object>();
    discovery.forEach(
        (server, its) ->
            found.add(
                List.of(
                    server,
                    its.consistent(),
                    its.resources(),
                    its.rows().orElse(List.of()).stream()
                        .map(row -> row.id() + row.hash())
                        .sorted()
                        .toList())));
    return found;
  }

  /** The deleted Leases that had expired by the fleet's clock. */
  private static List<String> collected(Map<String, Lease> before, List<Lease> after) {
    var left = new HashMap<>(before);
    after.forEach(lease -> left.remove(lease.getMetadata().getUid()));
    var present = after.stream().map(lease -> FleetIdentity.of(lease, Optional.of(lease))).toList();
    var now =
        present.stream()
            .flatMap(lease -> lease.renewTime().stream())
            .max(Comparator.naturalOrder());
    return left.values().stream()
        .map(lease -> FleetIdentity.of(lease, Optional.of(lease)))
        .filter(lease -> now.isPresent() && lease.hasExpired(now.get()))
        .map(FleetIdentity::toString)
        .toList();
  }

  /** The metrics of a server; "" where they may not be read. */
  static String metrics(KubernetesClient client) {
    try {
      return Objects.requireNonNullElse(client.raw("/metrics"), "");
    } catch (KubernetesClientException e) {
      return "";
    }
  }

  /** The Leases in the dedicated namespace, and the labelled ones in kube-apiserver's. */
  static List<Lease> leases(KubernetesClient client) {
    var found = new LinkedHashMap<String, Lease>();
    var leases = client.leases();
    for (var lease : leases.inNamespace(IdentityChecks.NAMESPACE).list().getItems()) {
      found.put(lease.getMetadata().getUid(), lease);
    }
    for (var lease :
        leases
            .inNamespace("kube-system")
            .withLabel(FleetIdentity.LABEL, FleetIdentity.LABEL_VALUE)
            .list()
            .getItems()) {
      found.put(lease.getMetadata().getUid(), lease);
    }
    return List.copyOf(found.values());
  }

  static PublishedFleet published(KubernetesClient client) {
    return new PublishedFleet(
        Optional.ofNullable(client.services().inNamespace("default").withName(SERVICE).get()),
        Optional.ofNullable(client.endpoints().inNamespace("default").withName(SERVICE).get()),
        client
            .discovery()
            .v1()
            .endpointSlices()
            .inNamespace("default")
            .withLabel("kubernetes.io/service-name", SERVICE)
            .list()
            .getItems());
  }

  private static void watch(
      KubernetesClient client, PublishedHistory history, List<Watch> watches) {
    var services = client.services().inNamespace("default").withField("metadata.name", SERVICE);
    var service = services.list();
    service.getItems().forEach(history::begin);
    watches.add(services.watch(since(service.getMetadata()), new Changes<>(history)));
    var endpoints = client.endpoints().inNamespace("default").withField("metadata.name", SERVICE);
    var published = endpoints.list();
    published.getItems().forEach(history::begin);
    watches.add(endpoints.watch(since(published.getMetadata()), new Changes<>(history)));
    var slices =
        client
            .discovery()
            .v1()
            .endpointSlices()
            .inNamespace("default")
            .withLabels(Map.of("kubernetes.io/service-name", SERVICE));
    var all = slices.list();
    all.getItems().forEach(history::begin);
    watches.add(slices.watch(since(all.getMetadata()), new Changes<>(history)));
  }

  private static ListOptions since(ListMeta list) {
    return new ListOptionsBuilder().withResourceVersion(list.getResourceVersion()).build();
  }

  /** The client's threads call it. */
  private record Changes<T extends HasMetadata>(PublishedHistory history) implements Watcher<T> {
    @Override
    public void eventReceived(Action action, T object) {
      switch (action) {
        case ADDED, MODIFIED -> history.written(object);
        case DELETED -> history.deleted(object);
        case ERROR, BOOKMARK -> {}
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      history.broken("the watch broke off: " + cause.getMessage());
    }
  }

  /** If no endpoint answers, this process is not in the fleet's network. */
  private static Optional<SortedSet<String>> unreached(SortedSet<String> sockets) {
    var unreached = new TreeSet<String>();
    for (var each : sockets) {
      var host = PublishedFleet.host(each);
      int port = Integer.parseInt(each.substring(each.lastIndexOf(':') + 1));
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress(Ip.parse(host).toInetAddress(), port), CONNECT_MILLIS);
      } catch (IOException e) {
        unreached.add(each);
      }
    }
    return unreached.size() == sockets.size() ? Optional.empty() : Optional.of(unreached);
  }
}
