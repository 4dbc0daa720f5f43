package dev.muster.authorization.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Decision;
import dev.muster.authorization.bootstrap.BootstrapObjects;
import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule for kubelets, by itself. */
class NodeAuthorizerTest {
  private static final String POD =
      """
      {'apiVersion':'v1','kind':'Pod','metadata':{'name':'web','namespace':'a'},
       'spec':{'nodeName':'n1','serviceAccountName':'runner',
        'imagePullSecrets':[{'name':'pull'}],
        'initContainers':[{'name':'i','envFrom':[{'secretRef':{'name':'init-env'}}]}],
        'containers':[{'name':'c','envFrom':[{'configMapRef':{'name':'env-map'}}],
          'env':[{'name':'X','valueFrom':{'secretKeyRef':{'name':'key','key':'k'}}},
                 {'name':'Y','valueFrom':{'configMapKeyRef':{'name':'key-map','key':'k'}}}]}],
        'ephemeralContainers':[{'name':'e','envFrom':[{'secretRef':{'name':'debug'}}]}],
        'resourceClaims':[{'name':'gpu','resourceClaimName':'direct'},
          {'name':'tpu','resourceClaimTemplateName':'t'},
          {'name':'npu','resourceClaimTemplateName':'t'}],
        'volumes':[{'name':'v1','secret':{'secretName':'vol'}},
          {'name':'v2','configMap':{'name':'vol-map'}},
          {'name':'v3','projected':{'sources':[{'secret':{'name':'proj'}},
             {'configMap':{'name':'proj-map'}}]}},
          {'name':'v4','persistentVolumeClaim':{'claimName':'data'}},
          {'name':'v5','ephemeral':{'volumeClaimTemplate':{}}},
          {'name':'v6','csi':{'driver':'d','nodePublishSecretRef':{'name':'csi'}}},
          {'name':'v7','cephfs':{'secretRef':{'name':'ceph'}}},
          {'name':'v8','azureFile':{'secretName':'azure'}},
          {'name':'v9','rbd':{'secretRef':{'name':'rbd'}}},
          {'name':'w1','iscsi':{'secretRef':{'name':'iscsi'}}},
          {'name':'w2','flexVolume':{'secretRef':{'name':'flex'}}},
          {'name':'w3','scaleIO':{'secretRef':{'name':'scale'}}},
          {'name':'w4','storageos':{'secretRef':{'name':'storageos'}}},
          {'name':'w5','cinder':{'secretRef':{'name':'cinder'}}}]},
       'status':{'resourceClaimStatuses':[{'name':'tpu','resourceClaimName':'made'},{'name':'npu'}],
         'extendedResourceClaimStatus':{'resourceClaimName':'extended','requestMappings':[]}}}
      """;

  private final NodeCluster cluster = new NodeCluster();
  private NodeAuthorizer authorizer;

  @BeforeEach
  void open() {
    cluster.put("/pods", POD);
    cluster.put(
        "/pods",
        """
        {'apiVersion':'v1','kind':'Pod','metadata':{'name':'mirror','namespace':'a',
          'annotations':{'kubernetes.io/config.mirror':'x'}},
         'spec':{'nodeName':'n1','serviceAccountName':'stolen',
          'volumes':[{'name':'v','secret':{'secretName':'stolen'}}]}}
        """);
    cluster.put(
        "/pods",
        """
        {'apiVersion':'v1','kind':'Pod','metadata':{'name':'waiting','namespace':'a'},
         'spec':{'volumes':[{'name':'v','secret':{'secretName':'unscheduled'}}]}}
        """);
    cluster.put("/persistentvolumes", volume("pv-csi", "data", "csi", "nodeStageSecretRef"));
    cluster.put("/persistentvolumes", volume("pv-other", "unused", "csi", "nodePublishSecretRef"));
    cluster.put(
        "/persistentvolumes", volume("pv-ctl", "web-v5", "csi", "controllerPublishSecretRef"));
    cluster.put(
        "/volumeattachments",
        "{'apiVersion':'storage.k8s.io/v1','kind':'VolumeAttachment','metadata':{'name':'at'},"
            + "'spec':{'nodeName':'n1','attacher':'d','source':{}}}");
    cluster.put(
        "/resourceslices",
        "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceSlice','metadata':{'name':'sl'},"
            + "'spec':{'nodeName':'n1','driver':'d','pool':{'name':'p'}}}");
    authorizer = new NodeAuthorizer(cluster::view, BootstrapObjects.nodeRules());
  }

  private static String volume(String name, String claim, String source, String secret) {
    return """
    {'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s'},
     'spec':{'claimRef':{'namespace':'a','name':'%s'},
      '%s':{'driver':'d','%s':{'namespace':'vault','name':'for-%s'}}}}
    """
        .formatted(name, claim, source, secret, name);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static User node(String name) {
    return User.of("system:node:" + name, "system:nodes", "system:authenticated");
  }

  /** Asks for {@code verb group/resource/subresource namespace/name}, all but the verb optional. */
  private Decision ask(User user, String verb, String resource, String object) {
    var path = resource.split("/", -1);
    var place = object.split("/", -1);
    return authorizer.authorize(
        Attributes.resource(
            user,
            verb,
            path[0],
            "v1",
            path[1],
            path.length > 2 ? path[2] : "",
            place[0],
            place.length > 1 ? place[1] : ""));
  }

  @ParameterizedTest
  @CsvSource({
    "/secrets, a/pull",
    "/secrets, a/init-env",
    "/secrets, a/key",
    "/secrets, a/debug",
    "/secrets, a/vol",
    "/secrets, a/proj",
    "/secrets, a/csi",
    "/secrets, a/ceph",
    "/secrets, a/azure",
    "/secrets, a/rbd",
    "/secrets, a/iscsi",
    "/secrets, a/flex",
    "/secrets, a/scale",
    "/secrets, a/storageos",
    "/secrets, a/cinder",
    "/secrets, vault/for-pv-csi",
    "/configmaps, a/env-map",
    "/configmaps, a/key-map",
    "/configmaps, a/vol-map",
    "/configmaps, a/proj-map",
    "/persistentvolumeclaims, a/data",
    "/persistentvolumeclaims, a/web-v5",
    "/persistentvolumes, /pv-csi",
    "/persistentvolumes, /pv-ctl",
    "resource.k8s.io/resourceclaims, a/direct",
    "resource.k8s.io/resourceclaims, a/made",
    "resource.k8s.io/resourceclaims, a/extended",
    "storage.k8s.io/volumeattachments, /at",
    "resource.k8s.io/resourceslices, /sl",
    "/serviceaccounts, a/runner",
    "/pods, a/web",
    "/pods, a/mirror",
  })
  void aNodeReadsWhatItsPodsUseAndNoOtherNodeDoes(String resource, String object) {
    assertThat(ask(node("n1"), "get", resource, object).allowed()).isTrue();
    var other = ask(node("n2"), "get", resource, object);
    assertThat(other.outcome()).isEqualTo(Decision.Outcome.NO_OPINION);
    assertThat(other.reason()).isEqualTo("no relationship found between node 'n2' and this object");
  }

  @ParameterizedTest
  @CsvSource({
    "/secrets, a/stolen",
    "/secrets, a/unscheduled",
    "/secrets, b/vol",
    "/secrets, a/nobody",
    "/secrets, vault/for-pv-other",
    "/secrets, vault/for-pv-ctl",
    "/secrets, a/vol-map",
    "/configmaps, a/vol",
    "/serviceaccounts, a/stolen",
    "/persistentvolumes, /pv-other",
    "/persistentvolumes, /absent",
    "resource.k8s.io/resourceclaims, a/npu",
    "/pods, a/waiting",
    "/pods, a/absent",
    "storage.k8s.io/volumeattachments, /absent",
    "storage.k8s.io/volumeattachments, a/at",
    "resource.k8s.io/resourceslices, a/sl",
    "/persistentvolumes, a/pv-csi",
  })
  void whatNoPodOfTheNodeUsesStaysHidden(String resource, String object) {
    assertThat(ask(node("n1"), "get", resource, object).reason())
        .isEqualTo("no relationship found between node 'n1' and this object");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update | /secrets | a/vol | can only read resources of this type",
        "get | /secrets/x | a/vol | cannot read subresource",
        "list | /secrets | / | can only read namespaced object of this type",
        "list | /secrets | a/ | No Object name found",
        "list | /persistentvolumeclaims | a/data | can only get individual resources of this type",
        "get | /persistentvolumeclaims/x | a/data | cannot get subresource",
        "get | /persistentvolumeclaims/status | a/data | can only get/update/patch this type",
        "delete | /persistentvolumes | /pv-csi | can only get individual resources of this type",
        "update | /serviceaccounts | a/runner | can only create tokens for individual service"
            + " accounts",
        "create | /serviceaccounts/token | a/ | can only create tokens for individual service"
            + " accounts",
        "create | /serviceaccounts | a/runner | can only create token subresource of"
            + " serviceaccount",
        "list | coordination.k8s.io/leases | kube-node-lease/ | can only get, create, update,"
            + " patch, or delete a node lease",
        "get | coordination.k8s.io/leases | a/n1 | can only access leases in the"
            + " \"kube-node-lease\" system namespace",
        "get | coordination.k8s.io/leases | kube-node-lease/n2 | can only access node lease with"
            + " the same name as the requesting node",
        "watch | storage.k8s.io/csinodes | /n1 | can only get, create, update, patch, or delete a"
            + " CSINode",
        "get | storage.k8s.io/csinodes/x | /n1 | cannot authorize CSINode subresources",
        "get | storage.k8s.io/csinodes | /n2 | can only access CSINode with the same name as the"
            + " requesting node",
        "get | resource.k8s.io/resourceslices/x | /sl | cannot authorize ResourceSlice"
            + " subresources",
        "list | resource.k8s.io/resourceslices | / | can only list/watch/deletecollection"
            + " resourceslices with nodeName field selector",
        "escalate | resource.k8s.io/resourceslices | /sl | only the following verbs are allowed for"
            + " a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
        "list | /nodes | / | node 'n1' cannot read all nodes, only its own Node object",
        "get | /nodes | /n2 | node 'n1' cannot read 'n2', only its own Node object",
        "list | /pods | a/ | can only list/watch pods with spec.nodeName field selector",
      })
  void aRefusalSaysWhy(String verb, String resource, String object, String reason) {
    assertThat(ask(node("n1"), verb, resource, object).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "watch, /secrets, a/vol",
    "list, /configmaps, a/vol-map",
    "update, /persistentvolumeclaims/status, a/data",
    "create, /serviceaccounts/token, a/runner",
    "create, coordination.k8s.io/leases, kube-node-lease/",
    "update, coordination.k8s.io/leases, kube-node-lease/n1",
    "create, storage.k8s.io/csinodes, /",
    "patch, storage.k8s.io/csinodes, /n1",
    "create, resource.k8s.io/resourceslices, /",
    "delete, resource.k8s.io/resourceslices, /sl",
    "create, /nodes, /",
    "update, /nodes, /n2",
    "patch, /nodes/status, /n2",
    "get, /nodes, /n1",
    "watch, /nodes, /n1",
    "create, /pods, a/",
    "delete, /pods, a/x",
    "watch, /pods, a/web",
    "update, /pods/status, a/x",
    "create, /pods/eviction, a/x",
    "create, /events, a/",
    "create, events.k8s.io/events, a/",
    "list, /services, /",
    "create, certificates.k8s.io/certificatesigningrequests, /",
    "create, authentication.k8s.io/tokenreviews, /",
    "list, node.k8s.io/runtimeclasses, /",
    "watch, storage.k8s.io/csidrivers, /",
  })
  void kubeletsDoTheirWork(String verb, String resource, String object) {
    assertThat(ask(node("n1"), verb, resource, object).allowed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "delete, /nodes, /n1",
    "get, /nodes/proxy, /n1",
    "update, /pods, a/web",
    "create, /pods/exec, a/web",
    "get, /pods/status, a/web",
    "get, apps/deployments, a/x",
    "create, certificates.k8s.io/podcertificaterequests, a/",
    "approve, certificates.k8s.io/signers, /x",
  })
  void theRestIsForOthersToDecide(String verb, String resource, String object) {
    assertThat(ask(node("n1"), verb, resource, object)).isEqualTo(Decision.NO_OPINION);
  }

  @Test
  void aListOfTheNodesOwnObjectsIsOneWithASelector() {
    var user = node("n1");
    for (var resource : new String[] {"pods", "resourceslices"}) {
      var group = resource.equals("pods") ? "" : "resource.k8s.io";
      var list = Attributes.resource(user, "list", group, "v1", resource, "", "", "");
      assertThat(authorizer.authorize(selecting(list, "spec.nodeName=n1")).allowed()).isTrue();
      assertThat(authorizer.authorize(selecting(list, "spec.nodeName=n2")).allowed()).isFalse();
      assertThat(authorizer.authorize(selecting(list, "spec.nodeName!=n1")).allowed()).isFalse();
      assertThat(
              authorizer
                  .authorize(selecting(list, "metadata.name=x,spec.nodeName=n1").withVerb("watch"))
                  .allowed())
          .isTrue();
    }
  }

  private static Attributes selecting(Attributes list, String fields) {
    return list.selecting(FieldSelector.parse(fields), LabelSelector.EVERYTHING);
  }

  @Test
  void onlyNodesAreNodes() {
    assertThat(ask(User.of("system:node:n1"), "get", "/secrets", "a/vol"))
        .isEqualTo(Decision.NO_OPINION);
    assertThat(ask(User.of("jane", "system:nodes"), "get", "/secrets", "a/vol"))
        .isEqualTo(Decision.NO_OPINION);
    assertThat(ask(node(""), "get", "/secrets", "a/vol").reason())
        .isEqualTo("unknown node for user \"system:node:\"");
  }

  @Test
  void aDecisionIsThatOfItsSnapshot() {
    var before = cluster.view();
    cluster.remove("/pods", "a", "web");
    var after = cluster.view();
    var get = Attributes.resource(node("n1"), "get", "", "v1", "secrets", "", "a", "vol");
    assertThat(authorizer.authorize(get, before).allowed()).isTrue();
    assertThat(authorizer.authorize(get, after).allowed()).isFalse();
    assertThat(authorizer.changed(get, after)).isGreaterThan(authorizer.changed(get, before));
    assertThat(authorizer.changed(after)).isZero();
  }

  @Test
  void nobodyCanListWhatANodeMayDo() {
    assertThat(authorizer.rulesFor(node("n1"), "a").incomplete()).isTrue();
    assertThat(authorizer.rulesFor(node("n1"), "a").error())
        .isEqualTo("node authorizer does not support user rule resolution");
    assertThat(authorizer.rulesFor(User.of("jane"), "a").incomplete()).isFalse();
  }
}
