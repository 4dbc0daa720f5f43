package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.DesiredEndpointSlices;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.DesiredService;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans the writes that lead from the published objects to the wanted ones. It is a pure function,
 * without time, flags or randomness, and plans nothing when everything is right.
 *
 * <p>The order keeps clients working at every step: a Service loses its second family before the
 * slices of that family are deleted, and gets it after they were created.
 */
final class PublicationPlan {
  /**
   * The current objects.
   *
   * @param slices Muster's own, by name
   * @param takenNames the names of relevant slices that are not Muster's
   */
  record Objects(
      @Nullable JsonObject service,
      @Nullable JsonObject endpoints,
      Map<String, JsonObject> slices,
      Set<String> takenNames) {
    Objects {
      slices = Map.copyOf(slices);
      takenNames = Set.copyOf(takenNames);
    }

    /**
     * @param all every slice of the namespace, by name
     */
    static Objects of(
        @Nullable JsonObject service, @Nullable JsonObject endpoints, Map<String, JsonObject> all) {
      var ours = new HashMap<String, JsonObject>();
      var taken = new HashSet<String>();
      all.forEach(
          (name, slice) -> {
            if (DesiredEndpointSlices.isOurs(slice)) {
              ours.put(name, slice);
            } else {
              taken.add(name);
            }
          });
      return new Objects(service, endpoints, ours, taken);
    }
  }

  private PublicationPlan() {}

  /**
   * @param leaving whether this server stops; it then creates no missing objects
   */
  static List<PlannedWrite> of(
      Objects present, PublishedServers wanted, DesiredService form, boolean leaving) {
    var writes = new ArrayList<PlannedWrite>();
    service(present, wanted, form, leaving, true, writes);
    var endpoints = DesiredEndpoints.endpoints(present.endpoints(), wanted);
    if (endpoints != null && !(leaving && endpoints instanceof PlannedWrite.Create)) {
      writes.add(endpoints);
    }
    var slices = DesiredEndpointSlices.wanted(wanted, present.takenNames());
    slices(present, slices, leaving, writes);
    service(present, wanted, form, leaving, false, writes);
    stale(present, slices, writes);
    return List.copyOf(writes);
  }

  /**
   * The writes for the Service alone, when this server does not reconcile the endpoints. Such
   * servers do not know one another, so each writes only what all of them would write.
   */
  static List<PlannedWrite> ofService(
      Objects present, PublishedServers wanted, DesiredService form) {
    var service = present.service();
    var missing = form.missing(service, wanted);
    if (service == null || !missing.isEmpty()) {
      return missing;
    }
    var kept =
        service.object("spec").array("clusterIPs").isEmpty()
            ? null
            : form.kept(service, wanted.port());
    return kept == null ? List.of() : List.of(kept);
  }

  /** The writes before the endpoints, or those after them. */
  private static void service(
      Objects present,
      PublishedServers wanted,
      DesiredService form,
      boolean leaving,
      boolean before,
      List<PlannedWrite> writes) {
    var service = present.service();
    var missing = leaving ? List.<PlannedWrite>of() : form.missing(service, wanted);
    if (before) {
      writes.addAll(missing);
    }
    if (service == null || !missing.isEmpty()) {
      return;
    }
    if (service.object("spec").array("clusterIPs").isEmpty()) {
      return;
    }
    var shrunk = form.shrunk(service, wanted);
    var write =
        before ? shrunk : shrunk == null && !leaving ? form.repaired(service, wanted) : null;
    if (write != null) {
      writes.add(write);
    }
  }

  /** Creates new slices first, so that an address that moves is always in a slice. */
  private static void slices(
      Objects present, Map<String, JsonObject> wanted, boolean leaving, List<PlannedWrite> writes) {
    for (boolean isNew : new boolean[] {true, false}) {
      for (var entry : wanted.entrySet()) {
        var now = present.slices().get(entry.getKey());
        boolean needed = !leaving || !entry.getValue().array("endpoints").isEmpty();
        if (isNew == (now == null) && (now != null || needed)) {
          writes.addAll(DesiredEndpointSlices.writes(now, entry.getValue()));
        }
      }
    }
  }

  private static void stale(
      Objects present, Map<String, JsonObject> wanted, List<PlannedWrite> writes) {
    present.slices().keySet().stream()
        .sorted()
        .filter(name -> !wanted.containsKey(name))
        .forEach(
            name -> {
              var slice = present.slices().get(name);
              if (slice != null) {
                writes.add(
                    new PlannedWrite.Delete(
                        PlannedWrite.Kind.SLICE,
                        slice,
                        "EndpointSliceRemoved",
                        "removed: no server has such an address"));
              }
            });
  }
}
