package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.Entry;
import dev.muster.store.Operation;
import dev.muster.wire.JsonReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint records of servers in the store: Endpoints objects in protobuf, with an expiration.
 *
 * <ul>
 *   <li>{@code /masterleases/<ip>} is the record of kube-apiserver: an address without a port.
 *   <li>{@code /musterleases/<id>} is the full record of a Muster server, which only Muster reads.
 *       The server also keeps its address, with its port, at {@code /masterleases/} for
 *       kube-apiservers.
 * </ul>
 *
 * <p>Any number of servers can therefore share an address, and a record without a port always
 * belongs to a kube-apiserver. See docs/contributing/decisions/0010-endpoints.md.
 */
final class LeaseRecords {
  static final String OWN = "/musterleases/";
  static final String MASTER = "/masterleases/";
  private static final String PLACE = "muster.dev/place";
  private static final String DURATION = "muster.dev/lease-duration-seconds";
  private static final long UPSTREAM_SECONDS = 15;
  private static final Duration LEAST_STALE = Duration.ofSeconds(60);

  private LeaseRecords() {}

  /**
   * The content of an entry.
   *
   * @param member the server of the entry; null without an address, or for a mirror of another
   *     record
   * @param duration after which the store drops an entry that is not renewed
   */
  record Content(@Nullable FleetMember member, Duration duration) {
    /** The time without change after which no server can be renewing the entry. */
    Duration staleAfter() {
      var four = duration.multipliedBy(4);
      return four.compareTo(LEAST_STALE) > 0 ? four : LEAST_STALE;
    }
  }

  /**
   * Parses an entry.
   *
   * @throws RuntimeException when it is malformed
   */
  static Content read(Entry entry) {
    var object = decode(entry);
    return new Content(member(entry, object), duration(object));
  }

  private static @Nullable FleetMember member(Entry entry, JsonObject object) {
    var addresses = new ArrayList<String>();
    for (var subset : object.array("subsets").objects()) {
      var first = subset.array("addresses").isEmpty() ? "" : firstAddress(subset);
      if (!first.isEmpty()) {
        addresses.add(first);
      }
    }
    if (addresses.isEmpty()) {
      return null;
    }
    int port = port(object);
    if (entry.key().startsWith(OWN)) {
      return new FleetMember(
          entry.key().substring(OWN.length()), addresses, port, FleetMember.Source.LEASE);
    }
    return port != 0
        ? null
        : new FleetMember(
            entry.key().substring(MASTER.length()),
            addresses.subList(0, 1),
            0,
            FleetMember.Source.MASTER_LEASE);
  }

  private static Duration duration(JsonObject object) {
    var text = object.object("metadata", "annotations").string(DURATION);
    long seconds = UPSTREAM_SECONDS;
    try {
      seconds = text.isEmpty() ? UPSTREAM_SECONDS : Long.parseLong(text);
    } catch (NumberFormatException e) {
      // the value was edited by hand; the record itself is still valid
    }
    return Duration.ofSeconds(Math.clamp(seconds, 1, 86_400));
  }

  /** The records of servers that held this server's sockets before. */
  static List<Entry> predecessors(OwnRecord self, EndpointsView view) {
    return view.leases().stream()
        .filter(
            entry ->
                !entry.key().equals(OWN + self.id())
                    && !self.place().isEmpty()
                    && place(entry).equals(self.place()))
        .toList();
  }

  /**
   * The writes that renew a server's records. A record of a kube-apiserver at the same address is
   * renewed in its own format, because a kube-apiserver may use that address. If it is unchanged at
   * the next renewal, there is none.
   *
   * @param view which may contain records of earlier servers with the same sockets
   * @param members the known members, with or without this server
   * @param master the current entry at {@code /masterleases/} for its address, if any
   * @param ownRevision the revision at which this server last wrote that entry, or 0
   * @param renewal counts up, so that each record differs from the previous one
   */
  static List<Operation> renewal(
      OwnRecord self,
      EndpointsView view,
      Collection<FleetMember> members,
      @Nullable Entry master,
      long ownRevision,
      long renewal) {
    var operations = new ArrayList<Operation>();
    for (var entry : predecessors(self, view)) {
      operations.add(new Operation.Delete(entry.key(), Operation.ANY));
    }
    operations.add(
        new Operation.Put(
            OWN + self.id(),
            ProtobufCodec.encode(record(self, renewal)),
            Operation.ANY,
            self.duration()));
    if (isShownToOthers(self, members)) {
      var value = master(self, renewal);
      operations.add(
          new Operation.Put(
              masterKey(self),
              ProtobufCodec.encode(isOthers(master, ownRevision) ? withoutPorts(value) : value),
              Operation.ANY,
              self.duration()));
    }
    return operations;
  }

  /** The keys that must exist while the server is alive. */
  static List<String> keys(OwnRecord self, Collection<FleetMember> members) {
    return isShownToOthers(self, members)
        ? List.of(OWN + self.id(), masterKey(self))
        : List.of(OWN + self.id());
  }

  /**
   * The writes that remove the records of a server that stops.
   *
   * @param others the members that stay
   * @param shared whether a kube-apiserver was seen to use the same address
   */
  static List<Operation> removal(
      OwnRecord self, Collection<FleetMember> others, @Nullable Entry master, boolean shared) {
    var operations = new ArrayList<Operation>();
    operations.add(new Operation.Delete(OWN + self.id(), Operation.ANY));
    boolean needed =
        others.stream()
            .anyMatch(
                other ->
                    other.source() == FleetMember.Source.LEASE
                        && other.port() == self.port()
                        && other.addresses().contains(self.addresses().getFirst()));
    boolean own =
        master != null && (portOf(master) == self.port() || (portOf(master) == 0 && !shared));
    if (master != null && own && !needed) {
      operations.add(new Operation.Delete(master.key(), master.modRevision()));
    }
    return operations;
  }

  static String masterKey(OwnRecord self) {
    return MASTER + self.addresses().getFirst();
  }

  /**
   * kube-apiserver gives every address the same port, so it must not see servers with another port.
   */
  private static boolean isShownToOthers(OwnRecord self, Collection<FleetMember> members) {
    var all = new ArrayList<>(members);
    all.removeIf(member -> member.id().equals(self.id()));
    all.add(self.member(FleetMember.Source.LEASE));
    return PublishedServers.isPublishable(self.addresses().getFirst())
        && PublishedServers.mainPort(all, self.port()) == self.port();
  }

  /** Whether a kube-apiserver wrote an entry after this server did. */
  static boolean isOthers(@Nullable Entry master, long ownRevision) {
    return master != null && portOf(master) == 0 && master.modRevision() != ownRevision;
  }

  private static String place(Entry entry) {
    try {
      return decode(entry).object("metadata", "annotations").string(PLACE);
    } catch (RuntimeException unreadable) {
      return "";
    }
  }

  private static int portOf(Entry entry) {
    try {
      return port(decode(entry));
    } catch (RuntimeException unreadable) {
      return -1;
    }
  }

  private static JsonObject record(OwnRecord self, long renewal) {
    return JsonObject.of(
        "kind",
        "Endpoints",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of(
            "name",
            self.id(),
            "generation",
            renewal,
            "annotations",
            JsonObject.of(
                PLACE, self.place(), DURATION, Long.toString(self.duration().toSeconds()))),
        "subsets",
        JsonArray.of(
            self.addresses().stream()
                .map(address -> new PublishedServers.Group(self.port(), List.of(address)))
                .map(DesiredEndpoints::subset)
                .toList()));
  }

  private static JsonObject master(OwnRecord self, long renewal) {
    var group = new PublishedServers.Group(self.port(), self.addresses().subList(0, 1));
    return JsonObject.of(
        "kind",
        "Endpoints",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of("generation", renewal),
        "subsets",
        DesiredEndpoints.subsets(List.of(group)));
  }

  private static JsonObject withoutPorts(JsonObject object) {
    return object.with(
        "subsets",
        object
            .array("subsets")
            .map(subset -> subset instanceof JsonObject one ? one.without("ports") : subset));
  }

  private static JsonObject decode(Entry entry) {
    if (ProtobufCodec.isEnvelope(entry.value())) {
      return ProtobufCodec.decode(entry.value());
    }
    return JsonReader.read(entry.value()) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private static String firstAddress(JsonObject subset) {
    return subset.array("addresses").object(0).string("ip");
  }

  private static int port(JsonObject object) {
    for (var subset : object.array("subsets").objects()) {
      for (var port : subset.array("ports").objects()) {
        return (int) port.integer("port", 0);
      }
      return 0;
    }
    return 0;
  }
}
