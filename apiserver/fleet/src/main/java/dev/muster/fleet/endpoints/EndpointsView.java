package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The part of the cluster that the endpoint reconciler uses, at one revision. Immutable. */
final class EndpointsView {
  private final List<Entry> leases;
  private final List<Entry> masterLeases;
  private final PublicationPlan.Objects objects;
  private final @Nullable JsonObject configMap;
  private final @Nullable JsonObject config;
  private final List<Cidr> ranges;
  private final Map<String, String> versions;
  private final String fingerprint;
  private final Set<Endpoint> endpoints;
  private final Set<Endpoint> sliced = new LinkedHashSet<>();

  /**
   * @param leases Muster's endpoint records, in key order
   * @param masterLeases endpoint records in kube-apiserver's format, in key order
   * @param configMap with the entries of servers
   * @param config the settings of these entries
   * @param ranges of the ServiceCIDR objects
   */
  EndpointsView(
      List<Entry> leases,
      List<Entry> masterLeases,
      PublicationPlan.Objects objects,
      @Nullable JsonObject configMap,
      @Nullable JsonObject config,
      List<Cidr> ranges) {
    this.leases = List.copyOf(leases);
    this.masterLeases = List.copyOf(masterLeases);
    this.objects = objects;
    this.configMap = configMap;
    this.config = config;
    this.ranges = List.copyOf(ranges);
    this.versions = versions(entries(), configMap);
    this.endpoints = Endpoint.ofEndpoints(objects.endpoints());
    objects.slices().values().forEach(slice -> sliced.addAll(Endpoint.ofSlice(slice)));
    var text = new StringBuilder(versions.toString());
    append(text, objects.service());
    append(text, objects.endpoints());
    new TreeMap<>(objects.slices()).values().forEach(slice -> append(text, slice));
    text.append(new TreeSet<>(objects.takenNames()));
    append(text, configMap);
    append(text, config);
    this.fingerprint = text.append(ranges).toString();
  }

  private static Map<String, String> versions(List<Entry> entries, @Nullable JsonObject configMap) {
    var versions = new TreeMap<String, String>();
    for (var entry : entries) {
      versions.put(entry.key(), Long.toString(entry.modRevision()));
    }
    if (configMap != null) {
      configMap.object("data").strings().forEach(versions::put);
    }
    return Collections.unmodifiableMap(versions);
  }

  private static void append(StringBuilder text, @Nullable JsonObject object) {
    text.append('|');
    if (object != null) {
      text.append(object.object("metadata").string("resourceVersion"));
    }
  }

  /** All records and entries that servers renew, each with a value that changes on renewal. */
  Map<String, String> versions() {
    return versions;
  }

  /** Differs between any two different states. */
  String fingerprint() {
    return fingerprint;
  }

  /** The endpoints in the Endpoints object. */
  Set<Endpoint> endpoints() {
    return endpoints;
  }

  /** The endpoints in the Endpoints object or in a slice. */
  Set<Endpoint> published() {
    var all = new LinkedHashSet<>(endpoints);
    all.addAll(sliced);
    return all;
  }

  /**
   * Whether an endpoint is published and not being removed. Endpoints are always written before
   * slices: an endpoint in a slice alone is about to be removed, one in the Endpoints alone was
   * just added.
   *
   * @param mixed whether there are kube-apiservers, with which Endpoints have only one port
   */
  boolean isPublished(Endpoint endpoint, boolean mixed) {
    boolean otherFamily = endpoint.family() != primary();
    boolean otherPort =
        mixed && endpoints.stream().noneMatch(shown -> shown.port() == endpoint.port());
    return endpoints.contains(endpoint)
        || ((otherFamily || otherPort) && sliced.contains(endpoint));
  }

  /** The address family of the Endpoints object. */
  private AddressFamily primary() {
    var service = objects.service();
    var ips =
        service == null
            ? List.<String>of()
            : service.object("spec").array("clusterIPs").strings().stream()
                .filter(ip -> !ip.equals("None"))
                .toList();
    return ips.isEmpty()
        ? endpoints.stream().findFirst().map(Endpoint::family).orElse(AddressFamily.IPV4)
        : AddressFamily.of(ips.getFirst());
  }

  List<Entry> entries() {
    var all = new ArrayList<>(leases);
    all.addAll(masterLeases);
    return all;
  }

  @Nullable Entry lease(String key) {
    return entries().stream().filter(entry -> entry.key().equals(key)).findFirst().orElse(null);
  }

  List<Entry> leases() {
    return leases;
  }

  List<Entry> masterLeases() {
    return masterLeases;
  }

  PublicationPlan.Objects objects() {
    return objects;
  }

  @Nullable JsonObject configMap() {
    return configMap;
  }

  @Nullable JsonObject config() {
    return config;
  }

  List<Cidr> ranges() {
    return ranges;
  }
}
