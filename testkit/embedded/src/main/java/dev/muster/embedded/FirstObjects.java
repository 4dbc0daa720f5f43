package dev.muster.embedded;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import dev.muster.server.start.RegistryObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Creates the objects that controllers would create in a new cluster, so that tests need not wait
 * for them and the first pod finds its service account. Only the thread that starts the cluster
 * uses it.
 */
final class FirstObjects implements ServerExtension {
  private static final GroupVersionResource ACCOUNTS =
      new GroupVersionResource("", "v1", "serviceaccounts");
  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource ROLES =
      new GroupVersionResource("rbac.authorization.k8s.io", "v1", "clusterroles");

  private final String certificates;
  private @Nullable ServerHost host;

  /**
   * @param certificates the authorities by which pods verify the API server
   */
  FirstObjects(String certificates) {
    this.certificates = certificates;
  }

  @Override
  public void attach(ServerHost lent) {
    host = lent;
  }

  @Override
  public void start() {}

  @Override
  public void leave() {}

  /** Creates the missing objects of these controllers. */
  void complete(Set<String> controllers) {
    var lent = host;
    if (lent == null) {
      throw new IllegalStateException("not attached");
    }
    var objects = lent.objects();
    var snapshot = lent.replica().current();
    for (var namespace : trees(snapshot, "/namespaces")) {
      var name = name(namespace);
      if (controllers.contains("serviceaccount-controller")) {
        make(objects, ACCOUNTS, "ServiceAccount", name, "default", JsonObject.EMPTY);
      }
      if (controllers.contains("root-ca-certificate-publisher-controller")) {
        var data = JsonObject.of("data", JsonObject.of("ca.crt", certificates));
        make(objects, CONFIG_MAPS, "ConfigMap", name, "kube-root-ca.crt", data);
      }
    }
    if (controllers.contains("clusterrole-aggregation-controller")) {
      aggregate(objects, trees(snapshot, "/clusterroles"));
    }
  }

  private static void make(
      RegistryObjects objects,
      GroupVersionResource resource,
      String kind,
      String namespace,
      String name,
      JsonObject content) {
    var object =
        content
            .with("kind", kind)
            .with("apiVersion", "v1")
            .with("metadata", JsonObject.of("name", name, "namespace", namespace));
    objects.change(resource, namespace, name, present -> present == null ? object : present);
  }

  /** Repeats, because aggregated roles may select other aggregated roles. */
  private static void aggregate(RegistryObjects objects, List<JsonObject> roles) {
    var now = new ArrayList<>(roles);
    now.sort(Comparator.comparing(FirstObjects::name));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 0; i < now.size(); i++) {
        var role = now.get(i);
        if (role.has("aggregationRule") && !rules(role, now).equals(role.array("rules"))) {
          now.set(i, role.with("rules", rules(role, now)));
          changed = true;
        }
      }
    }
    for (var role : now) {
      if (!roles.contains(role)) {
        objects.change(
            ROLES,
            "",
            name(role),
            present -> present == null ? role : present.with("rules", role.array("rules")));
      }
    }
  }

  /** In the controller's order. */
  private static JsonArray rules(JsonObject aggregated, List<JsonObject> roles) {
    var rules = new LinkedHashSet<Json>();
    for (var selector :
        aggregated.object("aggregationRule").array("clusterRoleSelectors").objects()) {
      var wanted = selector.object("matchLabels").strings().entrySet();
      for (var role : roles) {
        if (!name(role).equals(name(aggregated))
            && role.object("metadata", "labels").strings().entrySet().containsAll(wanted)) {
          rules.addAll(role.array("rules").asList());
        }
      }
    }
    return JsonArray.of(List.copyOf(rules));
  }

  private static List<JsonObject> trees(Snapshot snapshot, String storage) {
    return StreamSupport.stream(snapshot.collection(storage).all().spliterator(), false)
        .map(stored -> stored.tree())
        .toList();
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }
}
