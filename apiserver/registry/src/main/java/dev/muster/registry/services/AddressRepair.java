package dev.muster.registry.services;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds what to repair so that every cluster IP of a Service has its IPAddress, and every IPAddress
 * its Service. Muster writes both in one transaction; a mismatch remains when a user deletes an
 * IPAddress, or when another server stops between the two writes.
 *
 * @param superfluous IPAddresses without a Service
 * @param missing IPAddresses that Services lack
 * @param undecided whether some IPAddress is too young to be superfluous
 */
public record AddressRepair(
    List<JsonObject> superfluous, List<JsonObject> missing, boolean undecided) {
  public static final String SERVICES = "/services/specs";
  public static final String ADDRESSES = "/ipaddresses";

  /** The time that other servers have between creating an IPAddress and its Service. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  public static AddressRepair of(Snapshot snapshot, Instant now) {
    var superfluous = new ArrayList<JsonObject>();
    var missing = new ArrayList<JsonObject>();
    boolean undecided = false;
    var owners = owners(snapshot);
    for (var owned : owners.entrySet()) {
      var present = snapshot.collection(ADDRESSES).get("", owned.getKey());
      var wanted = ClusterIps.address(owned.getKey(), owned.getValue());
      if (present == null) {
        missing.add(wanted);
      } else if (!isOf(present.tree(), wanted, snapshot)) {
        superfluous.add(present.tree());
        missing.add(wanted);
      }
    }
    for (var stored : snapshot.collection(ADDRESSES).all()) {
      var address = stored.tree();
      if (ClusterIps.isManaged(address) && !owners.containsKey(ObjectMeta.name(address))) {
        boolean young = isYoung(address, now);
        undecided |= young;
        if (!young) {
          superfluous.add(address);
        }
      }
    }
    return new AddressRepair(superfluous, missing, undecided);
  }

  /** The Service of each address within a range; of two Services the older one. */
  private static Map<String, JsonObject> owners(Snapshot snapshot) {
    var ranges = ranges(snapshot);
    var owners = new HashMap<String, JsonObject>();
    for (var stored : snapshot.collection(SERVICES).all()) {
      var service = stored.tree();
      for (var text : ClusterIps.addresses(service)) {
        var ip = Ip.parseLegacy(text);
        if (ip != null && ranges.stream().anyMatch(range -> range.contains(ip))) {
          owners.merge(ip.toString(), service, AddressRepair::older);
        }
      }
    }
    return owners;
  }

  private static JsonObject older(JsonObject one, JsonObject other) {
    var first = ObjectMeta.text(one, "creationTimestamp");
    return first.compareTo(ObjectMeta.text(other, "creationTimestamp")) <= 0 ? one : other;
  }

  private static List<Cidr> ranges(Snapshot snapshot) {
    var ranges = new ArrayList<Cidr>();
    for (var stored : snapshot.collection("/servicecidrs").all()) {
      stored.tree().object("spec").array("cidrs").strings().stream()
          .map(Cidr::parseLegacy)
          .filter(Objects::nonNull)
          .forEach(ranges::add);
    }
    return ranges;
  }

  /**
   * Whether the IPAddress has the wanted labels and belongs to this or another existing Service.
   */
  private static boolean isOf(JsonObject address, JsonObject wanted, Snapshot snapshot) {
    var labels = address.object("metadata", "labels");
    var wantedLabels = wanted.object("metadata", "labels");
    for (var label : wantedLabels.keys()) {
      if (!labels.string(label).equals(wantedLabels.string(label))) {
        return false;
      }
    }
    return parent(address, snapshot) != null;
  }

  private static @Nullable JsonObject parent(JsonObject address, Snapshot snapshot) {
    var parent = address.object("spec", "parentRef");
    if (!parent.string("group").isEmpty() || !parent.string("resource").equals("services")) {
      return null;
    }
    var service =
        snapshot.collection(SERVICES).get(parent.string("namespace"), parent.string("name"));
    return service == null ? null : service.tree();
  }

  private static boolean isYoung(JsonObject address, Instant now) {
    try {
      var made = Timestamps.parse(ObjectMeta.text(address, "creationTimestamp"));
      return now.isBefore(made.plus(GRACE));
    } catch (MalformedValueException e) {
      return false;
    }
  }
}
