package dev.muster.admission;

import static dev.muster.admission.Plugins.CLAIMS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.nodes.NodeRestriction;
import dev.muster.authorization.Requests;
import dev.muster.authorization.modes.AlwaysDeny;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.ServedType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeRestrictionTest {
  private static final ServedType NODES = Requests.type("v1", "Node", "nodes");
  private static final ServedType LEASES =
      Requests.type("coordination.k8s.io/v1", "Lease", "leases");
  private static final ServedType ACCOUNTS =
      Requests.type("v1", "ServiceAccount", "serviceaccounts");

  private final Plugins plugins = new Plugins();
  private final NodeRestriction plugin = new NodeRestriction(new AlwaysDeny());

  @BeforeEach
  void actAsNode() {
    plugins.requests.by(User.of("system:node:n1", "system:nodes"));
    plugins.cluster.put("/minions", json("{'metadata':{'name':'n1','uid':'u1'}}"));
  }

  private void assertRefused(AdmissionRequest request, String why) {
    assertThatThrownBy(() -> plugin.admit(request))
        .isInstanceOf(ApiException.class)
        .hasMessageEndingWith(why);
  }

  private void assertAllowed(AdmissionRequest request) {
    assertThatCode(() -> plugin.admit(request)).doesNotThrowAnyException();
  }

  @Test
  void othersAreNotRestricted() {
    plugins.requests.by(User.of("system:node:n1"));
    assertAllowed(plugins.requests.create(NODES, json("{'metadata':{'name':'n2'}}")));
  }

  @Test
  void aKubeletMayNotDrawPodsToItself() {
    assertRefused(
        plugins.requests.create(NODES, json("{'metadata':{'name':'n2'}}")),
        "nodes \"n2\" is forbidden: node \"n1\" is not allowed to modify node \"n2\"");
    assertRefused(
        plugins.requests.create(
            NODES,
            json(
                "{'metadata':{'name':'n1','labels':{'node-restriction.kubernetes.io/x':'1',"
                    + "'k8s.io/y':'2','kubernetes.io/os':'linux','acme.com/z':'3'}}}")),
        "node \"n1\" is not allowed to set the following labels: k8s.io/y,"
            + " node-restriction.kubernetes.io/x");
    var old = json("{'metadata':{'name':'n1'},'spec':{'taints':[{'key':'t'}]}}");
    assertRefused(
        plugins.requests.update(NODES, json("{'metadata':{'name':'n1'},'spec':{}}"), old),
        "node \"n1\" is not allowed to modify taints");
    assertAllowed(plugins.requests.update(NODES, old, old));
  }

  /** Whatever RBAC lets it do; kube-apiserver says the same. */
  @Test
  void aKubeletDeletesNoCollection() {
    assertRefused(
        plugins.requests.deleteMember(NODES, json("{'metadata':{'name':'n2'}}")),
        "node \"n1\" is not allowed to modify node \"\"");
    assertRefused(
        plugins.requests.deleteMember(NODES, json("{'metadata':{'name':'n1'}}")),
        "node \"n1\" is not allowed to modify node \"\"");
    assertRefused(
        plugins.requests.deleteMember(
            LEASES, json("{'metadata':{'name':'n2','namespace':'kube-node-lease'}}")),
        "can only access node lease with the same name as the requesting node");
    assertRefused(
        plugins.requests.deleteMember(
            Requests.type("storage.k8s.io/v1", "CSINode", "csinodes"),
            json("{'metadata':{'name':'n2'}}")),
        "can only access CSINode with the same name as the requesting node");
    assertRefused(
        plugins.requests.deleteMember(
            PODS, json("{'metadata':{'name':'p','namespace':'a'},'spec':{'nodeName':'n2'}}")),
        "node \"n1\" can only delete pods with spec.nodeName set to itself");
  }

  @Test
  void aKubeletMakesMirrorPodsOnly() {
    var mirror =
        "{'metadata':{'name':'p','namespace':'a','annotations':{'kubernetes.io/config.mirror':'m'},"
            + "'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n1','uid':'u1',"
            + "'controller':true}]},'spec':{'nodeName':'n1'}}";
    assertAllowed(plugins.requests.create(PODS, json(mirror)));
    assertRefused(
        plugins.requests.create(
            PODS, json("{'metadata':{'name':'p','namespace':'a'},'spec':{'nodeName':'n1'}}")),
        "pod does not have \"kubernetes.io/config.mirror\" annotation, node \"n1\" can only create"
            + " mirror pods");
    assertRefused(
        plugins.requests.create(PODS, json(mirror.replace("'uid':'u1'", "'uid':'u2'"))),
        "node n1 UID mismatch: expected u2 got u1");
    assertRefused(
        plugins.requests.create(
            PODS,
            json(
                mirror.replace(
                    "'nodeName':'n1'",
                    "'nodeName':'n1','volumes':[{'name':'v','configMap':{'name':'c'}}]"))),
        "node \"n1\" can not create pods that reference configmaps");
  }

  @Test
  void aKubeletReportsOnItsOwnPods() {
    var mine = json("{'metadata':{'name':'p','namespace':'a'},'spec':{'nodeName':'n1'}}");
    var other = json("{'metadata':{'name':'q','namespace':'a'},'spec':{'nodeName':'n2'}}");
    plugins.cluster.put("/pods", mine).put("/pods", other);
    assertAllowed(plugins.requests.request(AdmissionOperation.UPDATE, PODS, "status", mine, mine));
    assertRefused(
        plugins.requests.request(AdmissionOperation.UPDATE, PODS, "status", other, other),
        "node \"n1\" can only update pod status for pods with spec.nodeName set to itself");
    assertAllowed(plugins.requests.delete(PODS, mine));
    assertAllowed(plugins.requests.deleteMember(PODS, mine));
    assertRefused(
        plugins.requests.deleteMember(PODS, other),
        "node \"n1\" can only delete pods with spec.nodeName set to itself");
    assertRefused(
        plugins.requests.delete(PODS, other),
        "node \"n1\" can only delete pods with spec.nodeName set to itself");
    assertRefused(
        plugins.requests.request(AdmissionOperation.CREATE, PODS, "eviction", other, null),
        "node n1 can only evict pods with spec.nodeName set to itself");
    assertRefused(
        plugins.requests.request(AdmissionOperation.CREATE, PODS, "binding", other, null),
        "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed");
  }

  @Test
  void aKubeletRenewsItsOwnLease() {
    assertAllowed(
        plugins.requests.create(
            LEASES, json("{'metadata':{'name':'n1','namespace':'kube-node-lease'}}")));
    assertRefused(
        plugins.requests.create(
            LEASES, json("{'metadata':{'name':'n2','namespace':'kube-node-lease'}}")),
        "can only access node lease with the same name as the requesting node");
    assertRefused(
        plugins.requests.create(LEASES, json("{'metadata':{'name':'n1','namespace':'default'}}")),
        "can only access leases in the \"kube-node-lease\" system namespace");
  }

  @Test
  void aKubeletAsksForTokensOfItsPods() {
    plugins.cluster.put(
        "/pods",
        json(
            "{'metadata':{'name':'p','namespace':'a','uid':'pu'},'spec':{'nodeName':'n1',"
                + "'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':"
                + "{'path':'t'}}]}}]}}"));
    var bound =
        "{'metadata':{'name':'sa','namespace':'a'},'spec':{'boundObjectRef':{'apiVersion':'v1',"
            + "'kind':'Pod','name':'p','uid':'pu'}%s}}";
    assertAllowed(token(bound.formatted("")));
    assertRefused(
        token(bound.formatted(",'audiences':['vault']")),
        "audience \"vault\" not found in pod spec volume, system:node:n1 is not authorized to"
            + " request tokens for this audience");
    assertRefused(
        token("{'metadata':{'name':'sa','namespace':'a'},'spec':{}}"),
        "node requested token not bound to a pod");
  }

  @Test
  void aKubeletAsksForTokensThatStorageNeeds() {
    plugins.cluster.put(
        "/pods",
        json(
            "{'metadata':{'name':'p','namespace':'a','uid':'pu'},'spec':{'nodeName':'n1',"
                + "'volumes':[{'name':'v','ephemeral':{'volumeClaimTemplate':{}}}]}}"));
    var wanted =
        token(
            "{'metadata':{'name':'sa','namespace':'a'},'spec':{'audiences':['vault'],"
                + "'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'p','uid':'pu'}}}");
    assertRefused(
        wanted, "error validating audience \"vault\": persistentvolumeclaim \"p-v\" not found");
    plugins.cluster.put(
        "/persistentvolumeclaims",
        json("{'metadata':{'name':'p-v','namespace':'a'},'spec':{'volumeName':'pv'}}"));
    plugins.cluster.put(
        "/persistentvolumes",
        json("{'metadata':{'name':'pv'},'spec':{'awsElasticBlockStore':{}}}"));
    assertRefused(
        wanted,
        "error validating audience \"vault\": csidriver.storage.k8s.io \"ebs.csi.aws.com\" not"
            + " found");
    plugins.cluster.put(
        "/csidrivers",
        json(
            "{'metadata':{'name':'ebs.csi.aws.com'},'spec':{'tokenRequests':[{'audience':"
                + "'vault'}]}}"));
    assertAllowed(wanted);
  }

  private AdmissionRequest token(String request) {
    return plugins.requests.request(
        AdmissionOperation.CREATE, ACCOUNTS, "token", json(request), null);
  }

  @Test
  void aKubeletSetsOnlyTheSizeOfAClaim() {
    var old = json("{'metadata':{'name':'c','namespace':'a'},'status':{'phase':'Bound'}}");
    var grown =
        json(
            "{'metadata':{'name':'c','namespace':'a'},'status':{'phase':'Bound',"
                + "'capacity':{'storage':'1Gi'}}}");
    assertAllowed(
        plugins.requests.request(AdmissionOperation.UPDATE, CLAIMS, "status", grown, old));
    var lost = json("{'metadata':{'name':'c','namespace':'a'},'status':{'phase':'Lost'}}");
    assertRefused(
        plugins.requests.request(AdmissionOperation.UPDATE, CLAIMS, "status", lost, old),
        "is not allowed to update fields other than status.quantity and status.conditions");
    assertRefused(plugins.requests.update(CLAIMS, grown, old), "may only update PVC status");
  }
}
