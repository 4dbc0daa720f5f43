package dev.muster.bench.tenants;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.RequestFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Used by one thread: the accounts, rights and leases of tenants, a node and a leader, deleted at
 * the end.
 */
final class TenantObjects implements AutoCloseable {
  private static final String NODE = "muster-bench-node";
  private static final List<String> NODE_USER = List.of("system:node:" + NODE, "system:nodes");
  private static final List<String> LEADER =
      List.of("system:kube-scheduler", "system:authenticated");
  private static final String NODE_LEASES = "kube-node-lease";

  private final RequestFactory requests;
  private final Api api;
  private final List<String> made = new ArrayList<>();

  TenantObjects(RequestFactory requests, Api api) {
    this.requests = requests;
    this.api = api;
  }

  private void make(String collection, String name, String rest) {
    api.expect(
        requests.post(collection, "{\"metadata\":{\"name\":\"" + name + "\"}," + rest + "}"));
    made.addFirst(collection + "/" + name);
  }

  /** Makes an account that may do everything in its namespace, and asks for its token. */
  PreparedRequest tokenRequest(RequestFactory admin, String namespace) {
    var accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    make(accounts, "tenant", "\"automountServiceAccountToken\":false");
    grant(
        namespace,
        "\"kind\":\"ServiceAccount\",\"name\":\"tenant\",\"namespace\":\"" + namespace + "\"");
    return admin.post(accounts + "/tenant/token", "{\"spec\":{\"expirationSeconds\":3600}}");
  }

  private void grant(String namespace, String subject) {
    make(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings",
        "muster-bench-" + made.size(),
        "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\","
            + "\"name\":\"cluster-admin\"},\"subjects\":[{"
            + subject
            + "}]");
  }

  private static String leasePath(String namespace) {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  /** Makes what a node and a leader keep up. */
  void leases(String namespace) {
    var holder = "\"spec\":{\"holderIdentity\":\"a\",\"leaseDurationSeconds\":40}";
    make(leasePath(NODE_LEASES), NODE, holder);
    make(leasePath(namespace), "muster-bench-leader", holder);
    grant(NODE_LEASES, "\"kind\":\"User\",\"name\":\"" + NODE_USER.getFirst() + "\"");
    grant(namespace, "\"kind\":\"User\",\"name\":\"" + LEADER.getFirst() + "\"");
  }

  LeaseRenewal heartbeats(BenchTarget target) {
    return renewal(target, NODE_USER, leasePath(NODE_LEASES) + "/" + NODE);
  }

  LeaseRenewal elections(BenchTarget target, String namespace) {
    return renewal(target, LEADER, leasePath(namespace) + "/muster-bench-leader");
  }

  private LeaseRenewal renewal(BenchTarget target, List<String> user, String path) {
    return new LeaseRenewal(
        new RequestFactory(target, user), path, api.expect(requests.get(path)).body());
  }

  @Override
  public void close() {
    made.forEach(path -> api.call(requests.delete(path)));
  }
}
