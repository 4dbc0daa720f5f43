package dev.muster.fleet.endpoints.form;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The wanted {@code kubernetes} Service, and the writes that create it.
 *
 * <p>Its primary address cannot be changed: a new Service would end connections through it. An
 * address that is the first of any known range therefore stays. Servers with other flags may want
 * that one, and two servers must never take turns in replacing it.
 *
 * @param ranges this server's own, the primary one first
 * @param known all ranges of the cluster, from its ServiceCIDR objects
 */
public record DesiredService(List<Cidr> ranges, List<Cidr> known) {
  private static final int PORT = 443;
  private static final Map<String, String> LABELS =
      Map.of("component", "apiserver", "provider", "kubernetes");
  private static final String SINGLE = "SingleStack";
  private static final String DUAL = "RequireDualStack";

  public DesiredService {
    ranges = List.copyOf(ranges);
    known = List.copyOf(known);
  }

  /**
   * The family of the cluster's Endpoints: that of the Service, or else of this server's ranges.
   */
  public AddressFamily primary(@Nullable JsonObject service) {
    if (service != null) {
      var ips = service.object("spec").array("clusterIPs").strings();
      if (!ips.isEmpty() && isFirst(ips.getFirst())) {
        return AddressFamily.of(ips.getFirst());
      }
    }
    return AddressFamily.of(ranges.getFirst());
  }

  /**
   * Creates the Service if there is none, and replaces it if its address is the first of no range.
   */
  public List<PlannedWrite> missing(@Nullable JsonObject present, PublishedServers wanted) {
    if (present == null) {
      return List.of(
          new PlannedWrite.Create(
              PlannedWrite.Kind.SERVICE,
              made(wanted),
              "ServiceCreated",
              "made with " + addresses()));
    }
    var ips = present.object("spec").array("clusterIPs").strings();
    boolean usable = !ips.isEmpty() && isFirst(ips.getFirst());
    if (usable || present.object("metadata").has("deletionTimestamp")) {
      return List.of();
    }
    var message = "made anew with " + addresses() + " in place of " + String.join(",", ips);
    return List.of(
        new PlannedWrite.Delete(PlannedWrite.Kind.SERVICE, present, "ServiceReplaced", message),
        new PlannedWrite.Create(
            PlannedWrite.Kind.SERVICE, made(wanted), "ServiceReplaced", message));
  }

  /** Removes the second family when no server advertises it any more. */
  public @Nullable PlannedWrite shrunk(JsonObject present, PublishedServers wanted) {
    var spec = present.object("spec");
    if (wanted.dualStack() || spec.array("clusterIPs").size() < 2) {
      return null;
    }
    return new PlannedWrite.Update(
        PlannedWrite.Kind.SERVICE,
        present.with("spec", single(spec)),
        "ServiceSingleStack",
        "single-stack: no server advertises both families");
  }

  /** Repairs edited fields, and adds the second family when a server advertises it. */
  public @Nullable PlannedWrite repaired(JsonObject present, PublishedServers wanted) {
    var spec = present.object("spec");
    var ips = spec.array("clusterIPs").strings();
    if (wanted.dualStack() && ips.size() == 2 && ranges.size() < 2) {
      // A single-stack server cannot write a dual-stack Service: its peers do so.
      return null;
    }
    if (ips.size() == 2 && !isFirst(ips.get(1))) {
      return new PlannedWrite.Update(
          PlannedWrite.Kind.SERVICE,
          present.with("spec", single(spec)),
          "ServiceRepaired",
          ips.get(1) + " given back: it is not the first address of its range");
    }
    var form = spec;
    if (wanted.dualStack() && ranges.size() == 2) {
      var first = ips.getFirst();
      var second = ips.size() == 2 ? ips.get(1) : first(AddressFamily.of(first).other());
      form =
          spec.with("ipFamilyPolicy", DUAL)
              .with(
                  "ipFamilies",
                  JsonArray.ofStrings(
                      List.of(AddressFamily.of(first).text(), AddressFamily.of(second).text())))
              .with("clusterIPs", JsonArray.ofStrings(List.of(first, second)));
    } else if (ips.size() == 1) {
      form = single(spec);
    }
    boolean grows = form.array("clusterIPs").size() > ips.size();
    form = common(form, wanted.port());
    var metadata = labelled(present.object("metadata"));
    if (form.equals(spec) && metadata.equals(present.object("metadata"))) {
      return null;
    }
    return new PlannedWrite.Update(
        PlannedWrite.Kind.SERVICE,
        present.with("metadata", metadata).with("spec", form),
        grows ? "ServiceDualStack" : "ServiceRepaired",
        grows
            ? "dual-stack with " + String.join(", ", form.array("clusterIPs").strings())
            : "repaired: " + String.join(", ", differences(present, metadata, form)));
  }

  /**
   * Repairs the edited fields on which all servers agree without knowing one another. Target port
   * and families stay, as in kube-apiserver.
   */
  public @Nullable PlannedWrite kept(JsonObject present, int ownPort) {
    var spec = present.object("spec");
    var form = common(spec, targetPort(spec, ownPort));
    var metadata = labelled(present.object("metadata"));
    if (form.equals(spec) && metadata.equals(present.object("metadata"))) {
      return null;
    }
    return new PlannedWrite.Update(
        PlannedWrite.Kind.SERVICE,
        present.with("metadata", metadata).with("spec", form),
        "ServiceRepaired",
        "repaired: " + String.join(", ", differences(present, metadata, form)));
  }

  private static int targetPort(JsonObject spec, int otherwise) {
    for (var port : spec.array("ports").objects()) {
      long target = port.integer("targetPort", 0);
      if (target > 0 && target <= 65_535) {
        return (int) target;
      }
    }
    return otherwise;
  }

  private static List<String> differences(
      JsonObject present, JsonObject metadata, JsonObject form) {
    var found = new ArrayList<String>();
    if (!metadata.equals(present.object("metadata"))) {
      found.add("labels");
    }
    var spec = present.object("spec");
    for (var key : form.keys()) {
      if (!Objects.equals(form.get(key), spec.get(key))) {
        found.add(key);
      }
    }
    for (var key : spec.keys()) {
      if (!form.has(key)) {
        found.add(key);
      }
    }
    return found;
  }

  private JsonObject made(PublishedServers wanted) {
    var addresses = new ArrayList<String>();
    addresses.add(first(ranges.getFirst()));
    if (wanted.dualStack() && ranges.size() == 2) {
      addresses.add(first(ranges.get(1)));
    }
    var spec =
        JsonObject.of(
            "clusterIP",
            addresses.getFirst(),
            "clusterIPs",
            JsonArray.ofStrings(addresses),
            "ipFamilies",
            JsonArray.ofStrings(addresses.stream().map(ip -> AddressFamily.of(ip).text()).toList()),
            "ipFamilyPolicy",
            addresses.size() == 2 ? DUAL : SINGLE);
    return JsonObject.of(
        "kind",
        "Service",
        "apiVersion",
        "v1",
        "metadata",
        labelled(
            JsonObject.of("name", DesiredEndpoints.NAME, "namespace", DesiredEndpoints.NAMESPACE)),
        "spec",
        common(spec, wanted.port()));
  }

  private static JsonObject labelled(JsonObject metadata) {
    var labels = metadata.object("labels");
    for (var label : LABELS.entrySet()) {
      labels = labels.with(label.getKey(), label.getValue());
    }
    return metadata.with("labels", labels);
  }

  private static JsonObject single(JsonObject spec) {
    var first = spec.array("clusterIPs").strings().getFirst();
    return spec.with("ipFamilyPolicy", SINGLE)
        .with("ipFamilies", JsonArray.ofStrings(List.of(AddressFamily.of(first).text())))
        .with("clusterIPs", JsonArray.ofStrings(List.of(first)));
  }

  /** The fields that do not depend on families. */
  private static JsonObject common(JsonObject spec, int targetPort) {
    var port =
        JsonObject.of(
            "name",
            DesiredEndpoints.PORT_NAME,
            "port",
            PORT,
            "protocol",
            "TCP",
            "targetPort",
            targetPort);
    return spec.with("type", "ClusterIP")
        .with("ports", JsonArray.of(port))
        .with("sessionAffinity", "None")
        .with("internalTrafficPolicy", "Cluster")
        .without("selector")
        .without("sessionAffinityConfig")
        .without("externalName")
        .without("externalTrafficPolicy")
        .without("healthCheckNodePort")
        .without("allocateLoadBalancerNodePorts")
        .without("loadBalancerClass")
        .without("publishNotReadyAddresses");
  }

  private String addresses() {
    return String.join(", ", ranges.stream().map(DesiredService::first).toList());
  }

  /** Whether an address is the first one of any range of the cluster. */
  private boolean isFirst(String address) {
    return ranges.stream().anyMatch(range -> first(range).equals(address))
        || known.stream().anyMatch(range -> first(range).equals(address));
  }

  private String first(AddressFamily family) {
    for (var range : ranges) {
      if (AddressFamily.of(range) == family) {
        return first(range);
      }
    }
    throw new IllegalStateException("no range of " + family);
  }

  private static String first(Cidr range) {
    return range.at(BigInteger.ONE).toString();
  }
}
