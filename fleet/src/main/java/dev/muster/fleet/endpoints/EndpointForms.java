package dev.muster.fleet.endpoints;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Endpoints and EndpointSlices of the {@code kubernetes} Service in exactly the form that
 * kube-apiserver gives them, and what must be written to get there.
 */
final class EndpointForms {
  static final String NAMESPACE = "default";
  static final String NAME = "kubernetes";
  static final String PORT_NAME = "https";
  private static final String SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";
  private static final JsonObject SLICE_LABELS = JsonObject.of("kubernetes.io/service-name", NAME);
  private static final Pattern OWN_SLICE = Pattern.compile("kubernetes(-ipv[46])?(-[0-9]+)?");

  private EndpointForms() {}

  /** Whether a slice of that name in the namespace is ours to change and to remove. */
  static boolean isOwnSlice(String name) {
    return OWN_SLICE.matcher(name).matches();
  }

  /** What must be written for the Endpoints object, if anything. */
  static @Nullable Write endpoints(@Nullable JsonObject present, Published wanted) {
    return endpoints(present, subsets(wanted.endpoints()));
  }

  static @Nullable Write endpoints(@Nullable JsonObject present, JsonArray subsets) {
    if (present == null) {
      var made =
          JsonObject.of(
              "kind",
              "Endpoints",
              "apiVersion",
              "v1",
              "metadata",
              JsonObject.of(
                  "name",
                  NAME,
                  "namespace",
                  NAMESPACE,
                  "labels",
                  JsonObject.of(SKIP_MIRROR, "true")));
      return new Write.Create(
          Write.Kind.ENDPOINTS,
          made.with("subsets", subsets),
          "EndpointsCreated",
          "made with " + shown(subsets));
    }
    boolean labelled = present.object("metadata", "labels").string(SKIP_MIRROR).equals("true");
    if (labelled && present.array("subsets").equals(subsets)) {
      return null;
    }
    var changed = present.withAt(Json.of("true"), "metadata", "labels", SKIP_MIRROR);
    changed = subsets.isEmpty() ? changed.without("subsets") : changed.with("subsets", subsets);
    var before = addresses(present.array("subsets"));
    boolean moved = !before.equals(addresses(subsets));
    return new Write.Update(
        Write.Kind.ENDPOINTS,
        changed,
        moved ? "EndpointsChanged" : "EndpointsRepaired",
        (moved ? "changed" : "repaired")
            + " from "
            + shown(present.array("subsets"))
            + " to "
            + shown(subsets));
  }

  static JsonArray subsets(List<Published.Group> groups) {
    return JsonArray.of(groups.stream().map(EndpointForms::subset).toList());
  }

  static JsonObject subset(Published.Group group) {
    return JsonObject.of(
        "addresses",
        JsonArray.of(group.addresses().stream().map(ip -> JsonObject.of("ip", ip)).toList()),
        "ports",
        JsonArray.of(port(group.port())));
  }

  private static JsonObject port(int port) {
    return JsonObject.of("name", PORT_NAME, "port", port, "protocol", "TCP");
  }

  /** Addresses by port, sorted enough to be compared. */
  private static Map<Long, List<String>> addresses(JsonArray subsets) {
    Map<Long, List<String>> found = new HashMap<>();
    for (var subset : subsets.objects()) {
      for (var port : subset.array("ports").objects()) {
        found
            .computeIfAbsent(port.integer("port", 0), _ -> new ArrayList<>())
            .addAll(
                subset.array("addresses").objects().stream()
                    .map(address -> address.string("ip"))
                    .sorted()
                    .toList());
      }
    }
    return found;
  }

  private static String shown(JsonArray subsets) {
    var texts = new ArrayList<String>();
    for (var subset : subsets.objects()) {
      long port = 0;
      for (var each : subset.array("ports").objects()) {
        port = each.integer("port", 0);
      }
      for (var address : subset.array("addresses").objects()) {
        texts.add(hostAndPort(address.string("ip"), port));
      }
    }
    return texts.isEmpty() ? "no servers" : String.join(", ", texts);
  }

  static String hostAndPort(String address, long port) {
    return (Family.of(address) == Family.IPV6 ? "[" + address + "]" : address) + ":" + port;
  }

  /**
   * The slices by name: {@code kubernetes} for the primary family, also when it is empty, and the
   * other family's with a suffix; further ports with one more.
   */
  static Map<String, JsonObject> slices(Published wanted) {
    Map<String, JsonObject> slices = new LinkedHashMap<>();
    if (wanted.primary().isEmpty()) {
      slices.put(NAME, slice(NAME, wanted.family(), null));
    }
    add(slices, wanted.primary(), wanted.family(), NAME);
    var other = wanted.family().other();
    add(slices, wanted.secondary(), other, NAME + "-" + other.suffix());
    return slices;
  }

  private static void add(
      Map<String, JsonObject> slices, List<Published.Group> groups, Family family, String name) {
    for (int i = 0; i < groups.size(); i++) {
      var group = groups.get(i);
      var full = i == 0 ? name : name + "-" + group.port();
      slices.put(full, slice(full, family, group));
    }
  }

  private static JsonObject slice(String name, Family family, Published.@Nullable Group group) {
    var slice =
        JsonObject.of(
            "kind",
            "EndpointSlice",
            "apiVersion",
            "discovery.k8s.io/v1",
            "metadata",
            JsonObject.of("name", name, "namespace", NAMESPACE, "labels", SLICE_LABELS),
            "addressType",
            family.text());
    if (group == null) {
      return slice.with("endpoints", JsonArray.EMPTY);
    }
    var endpoints =
        group.addresses().stream()
            .map(
                address ->
                    JsonObject.of(
                        "addresses",
                        JsonArray.ofStrings(List.of(address)),
                        "conditions",
                        JsonObject.of("ready", true)))
            .toList();
    return slice
        .with("endpoints", JsonArray.of(endpoints))
        .with("ports", JsonArray.of(port(group.port())));
  }

  /** What must be written for one slice; a wrong family can only be put right by a new object. */
  static List<Write> slice(@Nullable JsonObject present, JsonObject wanted) {
    var name = wanted.object("metadata").string("name");
    var now = shownSlice(wanted);
    if (present == null) {
      return List.of(
          new Write.Create(
              Write.Kind.SLICE, wanted, "EndpointSliceCreated", name + " made with " + now));
    }
    if (!present.string("addressType").equals(wanted.string("addressType"))) {
      var message =
          name
              + " made anew for "
              + wanted.string("addressType")
              + " in place of "
              + present.string("addressType");
      return List.of(
          new Write.Delete(Write.Kind.SLICE, present, "EndpointSliceReplaced", message),
          new Write.Create(Write.Kind.SLICE, wanted, "EndpointSliceReplaced", message));
    }
    boolean same =
        present.object("metadata", "labels").equals(SLICE_LABELS)
            && present.array("endpoints").equals(wanted.array("endpoints"))
            && present.array("ports").equals(wanted.array("ports"));
    if (same) {
      return List.of();
    }
    var changed =
        present
            .withAt(SLICE_LABELS, "metadata", "labels")
            .with("endpoints", wanted.array("endpoints"));
    changed =
        wanted.has("ports")
            ? changed.with("ports", wanted.array("ports"))
            : changed.without("ports");
    var before = shownSlice(present);
    boolean moved = !before.equals(now);
    return List.of(
        new Write.Update(
            Write.Kind.SLICE,
            changed,
            moved ? "EndpointSliceChanged" : "EndpointSliceRepaired",
            name + (moved ? " changed from " + before + " to " + now : " repaired: " + now)));
  }

  private static String shownSlice(JsonObject slice) {
    long port = 0;
    for (var each : slice.array("ports").objects()) {
      port = each.integer("port", 0);
    }
    var texts = new ArrayList<String>();
    for (var endpoint : slice.array("endpoints").objects()) {
      for (var address : endpoint.array("addresses").strings()) {
        texts.add(hostAndPort(address, port));
      }
    }
    return texts.isEmpty() ? "no servers" : String.join(", ", texts);
  }
}
