package dev.muster.fleet.endpoints.form;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The wanted EndpointSlices of the {@code kubernetes} Service, and the writes that create them.
 *
 * <p>Labels decide whether a slice is Muster's, never its name alone: it belongs to the Service,
 * has no other manager or owner, and carries Muster's mark. Only the first slice has no mark,
 * because kube-apiserver creates and compares it without one; it is known by the name that both
 * give it.
 */
public final class DesiredEndpointSlices {
  /** The label that names the Service of a slice. */
  public static final String SERVICE_LABEL = "kubernetes.io/service-name";

  private static final String MANAGER_LABEL = "endpointslice.kubernetes.io/managed-by";
  private static final String MANAGER = "apiserver.muster.dev";

  /** Names of slices from before slices were marked. */
  private static final Pattern FORMER_NAMES = Pattern.compile("kubernetes(-ipv[46])?(-[0-9]+)?");

  private DesiredEndpointSlices() {}

  /** Whether Muster may change and delete a slice in the Service's namespace. */
  public static boolean isOurs(JsonObject slice) {
    var metadata = slice.object("metadata");
    var labels = metadata.object("labels");
    var manager = labels.string(MANAGER_LABEL);
    boolean owned =
        metadata.array("ownerReferences").objects().stream()
            .anyMatch(owner -> owner.isTrue("controller"));
    return labels.string(SERVICE_LABEL).equals(DesiredEndpoints.NAME)
        && !owned
        && (manager.equals(MANAGER)
            || (manager.isEmpty() && FORMER_NAMES.matcher(metadata.string("name")).matches()));
  }

  /** Whether a slice may be Muster's or use a name that Muster needs; all others are ignored. */
  public static boolean matters(String name, @Nullable String service) {
    return DesiredEndpoints.NAME.equals(service) || name.startsWith(DesiredEndpoints.NAME);
  }

  /**
   * The slices by name: {@code kubernetes} for the primary family, even when it is empty, and the
   * other family's with a suffix. Further ports have one more suffix.
   *
   * @param taken names of slices that are not Muster's
   */
  public static Map<String, JsonObject> wanted(PublishedServers published, Set<String> taken) {
    Map<String, JsonObject> slices = new LinkedHashMap<>();
    if (published.primary().isEmpty()) {
      put(slices, DesiredEndpoints.NAME, published.family(), null, taken);
    }
    add(slices, published.primary(), published.family(), DesiredEndpoints.NAME, taken);
    var other = published.family().other();
    add(slices, published.secondary(), other, DesiredEndpoints.NAME + "-" + other.suffix(), taken);
    return slices;
  }

  private static void add(
      Map<String, JsonObject> slices,
      List<PublishedServers.Group> groups,
      AddressFamily family,
      String name,
      Set<String> taken) {
    for (int i = 0; i < groups.size(); i++) {
      var group = groups.get(i);
      put(slices, i == 0 ? name : name + "-" + group.port(), family, group, taken);
    }
  }

  private static void put(
      Map<String, JsonObject> slices,
      String name,
      AddressFamily family,
      PublishedServers.@Nullable Group group,
      Set<String> taken) {
    var free = name;
    for (int i = 1; taken.contains(free); i++) {
      free = name + "-muster" + (i == 1 ? "" : "-" + i);
    }
    slices.put(free, slice(free, family, group));
  }

  private static JsonObject labels(String name) {
    var labels = JsonObject.of(SERVICE_LABEL, DesiredEndpoints.NAME);
    return name.equals(DesiredEndpoints.NAME) ? labels : labels.with(MANAGER_LABEL, MANAGER);
  }

  private static JsonObject slice(
      String name, AddressFamily family, PublishedServers.@Nullable Group group) {
    var slice =
        JsonObject.of(
            "kind",
            "EndpointSlice",
            "apiVersion",
            "discovery.k8s.io/v1",
            "metadata",
            JsonObject.of(
                "name", name, "namespace", DesiredEndpoints.NAMESPACE, "labels", labels(name)),
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
        .with("ports", JsonArray.of(DesiredEndpoints.port(group.port())));
  }

  /** The writes for one slice. Another address family requires a new object. */
  public static List<PlannedWrite> writes(@Nullable JsonObject present, JsonObject wanted) {
    var now = shown(wanted);
    if (present == null) {
      return List.of(
          new PlannedWrite.Create(
              PlannedWrite.Kind.SLICE, wanted, "EndpointSliceCreated", "made with " + now));
    }
    if (!present.string("addressType").equals(wanted.string("addressType"))) {
      var message =
          "made anew for "
              + wanted.string("addressType")
              + " in place of "
              + present.string("addressType");
      return List.of(
          new PlannedWrite.Delete(
              PlannedWrite.Kind.SLICE, present, "EndpointSliceReplaced", message),
          new PlannedWrite.Create(
              PlannedWrite.Kind.SLICE, wanted, "EndpointSliceReplaced", message));
    }
    var labels = wanted.object("metadata", "labels");
    boolean same =
        present.object("metadata", "labels").equals(labels)
            && present.array("endpoints").equals(wanted.array("endpoints"))
            && present.array("ports").equals(wanted.array("ports"));
    if (same) {
      return List.of();
    }
    var changed =
        present.withAt(labels, "metadata", "labels").with("endpoints", wanted.array("endpoints"));
    changed =
        wanted.has("ports")
            ? changed.with("ports", wanted.array("ports"))
            : changed.without("ports");
    var before = shown(present);
    boolean moved = !before.equals(now);
    return List.of(
        new PlannedWrite.Update(
            PlannedWrite.Kind.SLICE,
            changed,
            moved ? "EndpointSliceChanged" : "EndpointSliceRepaired",
            moved ? "changed from " + before + " to " + now : "repaired: " + now));
  }

  private static String shown(JsonObject slice) {
    var texts = new ArrayList<String>();
    Endpoint.ofSlice(slice).forEach(endpoint -> texts.add(endpoint.toString()));
    return texts.isEmpty() ? "no servers" : String.join(", ", texts);
  }
}
