package dev.muster.admission;

import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.nodes.NodeRestriction;
import dev.muster.authorization.Requests;
import dev.muster.authorization.modes.AlwaysDeny;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a kubelet may write, case by case; an empty reason means that it may. */
class NodeRestrictionTableTest {
  private final Plugins plugins = new Plugins();
  private final NodeRestriction plugin = new NodeRestriction(new AlwaysDeny());

  @BeforeEach
  void actAsNode() {
    plugins.requests.by(User.of("system:node:n1", "system:nodes"));
    plugins.cluster.put("/minions", json("{'metadata':{'name':'n1','uid':'u1'}}"));
  }

  private String reason(AdmissionRequest request) {
    try {
      plugin.admit(request);
      return "";
    } catch (ApiException e) {
      var message = String.valueOf(e.getMessage());
      return message.substring(message.indexOf("forbidden: ") + "forbidden: ".length());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'containers':[] | ``",
        "'volumes':[{'name':'v','hostPath':{'path':'/x'}}] | ``",
        "'volumes':[{'name':'v','projected':{'sources':[{'downwardAPI':{}}]}}] | ``",
        "'serviceAccountName':'x' | node \"n1\" can not create pods that reference serviceaccounts",
        "'imagePullSecrets':[{'name':'x'}] | node \"n1\" can not create pods that reference"
            + " secrets",
        "'volumes':[{'name':'v','secret':{'secretName':'x'}}] | node \"n1\" can not create pods"
            + " that reference secrets",
        "'volumes':[{'name':'v','configMap':{'name':'x'}}] | node \"n1\" can not create pods that"
            + " reference configmaps",
        "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'x'}}] | node \"n1\" can not"
            + " create pods that reference persistentvolumeclaims",
        "'volumes':[{'name':'v','ephemeral':{}}] | node \"n1\" can not create pods that reference"
            + " persistentvolumeclaims (via ephemeral volumes)",
        "'volumes':[{'name':'v','csi':{'driver':'d'}}] | node \"n1\" can not create pods that"
            + " reference csidrivers (via CSI volumes)",
        "'volumes':[{'name':'v','glusterfs':{}}] | node \"n1\" can not create pods that reference"
            + " endpoints (via glusterFS volumes)",
        "'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{}}]}}] | node"
            + " \"n1\" can not create pods that reference serviceaccounts (via projected volumes)",
        "'volumes':[{'name':'v','projected':{'sources':[{'clusterTrustBundle':{}}]}}] | node \"n1\""
            + " can not create pods that reference clustertrustbundles",
        "'volumes':[{'name':'v','projected':{'sources':[{'podCertificate':{}}]}}] | node \"n1\" can"
            + " not create pods that reference podcertificates",
        "'volumes':[{'name':'v','projected':{'sources':[{'new':{}}]}}] | error checking mirror pod"
            + " for API references: unknown source for projected volume \"v\"",
        "'volumes':[{'name':'v','new':{}}] | error checking mirror pod for API references: unknown"
            + " volume type for volume  \"v\"",
        "'resourceClaims':[{'name':'c'}] | node \"n1\" can not create pods that reference"
            + " resourceclaims",
      })
  void aMirrorPodLeadsNowhere(String fields, String reason) {
    var pod =
        json(
            "{'metadata':{'name':'p','namespace':'a','annotations':{'kubernetes.io/config.mirror':"
                + "'m'},'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n1',"
                + "'uid':'u1','controller':true}]},'spec':{'nodeName':'n1',"
                + fields
                + "}}");
    assertThat(reason(plugins.requests.create(PODS, pod))).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'status':{'phase':'Running'} | ``",
        "'status':{'resourceClaimStatuses':[{'name':'c','resourceClaimName':'stolen'}]} | node"
            + " \"n1\" cannot update resource claim statues",
        "'status':{'extendedResourceClaimStatus':{'resourceClaimName':'stolen'}} | node \"n1\""
            + " cannot update extended resource claim status",
      })
  void aPodsStatusGrantsNothing(String fields, String reason) {
    var old = json("{'metadata':{'name':'p','namespace':'a'},'spec':{'nodeName':'n1'}}");
    var pod =
        json("{'metadata':{'name':'p','namespace':'a'},'spec':{'nodeName':'n1'}," + fields + "}");
    assertThat(reason(update(pod, old))).isEqualTo(reason);
  }

  private AdmissionRequest update(JsonObject pod, JsonObject old) {
    return plugins.requests.request(AdmissionOperation.UPDATE, PODS, "status", pod, old);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'metadata':{'name':'n1'}} | ``",
        "{'metadata':{'name':'n1','labels':{'kubelet.kubernetes.io/x':'1','acme.com/y':'2'}}} | ``",
        "{'metadata':{'name':'n1','labels':{'kubernetes.io/x':'1'}}} | is not allowed to modify"
            + " labels: kubernetes.io/x",
        "{'metadata':{'name':'n1','ownerReferences':[{'kind':'Pod','name':'p'}]}} | node \"n1\" is"
            + " not allowed to modify ownerReferences",
        "{'metadata':{'name':'n1'},'spec':{'taints':[{'key':'t'}]}} | node \"n1\" is not allowed to"
            + " modify taints",
        "{'metadata':{'name':'n1'},'spec':{'configSource':{}}} | node \"n1\" is not allowed to"
            + " update configSource to a new non-nil configSource",
      })
  void aNodeStaysWhatItIs(String node, String reason) {
    var nodes = Requests.type("v1", "Node", "nodes");
    var old = json("{'metadata':{'name':'n1'}}");
    assertThat(reason(plugins.requests.update(nodes, json(node), old))).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "resource.k8s.io/v1 | ResourceSlice | resourceslices |"
            + " {'metadata':{'name':'s'},'spec':{'nodeName':'n1'}} | ``",
        "resource.k8s.io/v1 | ResourceSlice | resourceslices |"
            + " {'metadata':{'name':'s'},'spec':{'nodeName':'n2'}} | can only create ResourceSlice"
            + " with the same NodeName as the requesting node",
        "resource.k8s.io/v1 | ResourceSlice | resourceslices |"
            + " {'metadata':{'name':'s'},'spec':{'allNodes':true}} | can only create ResourceSlice"
            + " with the same NodeName as the requesting node",
        "storage.k8s.io/v1 | CSINode | csinodes | {'metadata':{'name':'n1'}} | ``",
        "storage.k8s.io/v1 | CSINode | csinodes | {'metadata':{'name':'n2'}} | can only access"
            + " CSINode with the same name as the requesting node",
        "coordination.k8s.io/v1 | Lease | leases |"
            + " {'metadata':{'name':'n1','namespace':'kube-node-lease'}} | ``",
        "coordination.k8s.io/v1 | Lease | leases | {'metadata':{'name':'n1','namespace':'a'}} | can"
            + " only access leases in the \"kube-node-lease\" system namespace",
        "v1 | ConfigMap | configmaps | {'metadata':{'name':'c','namespace':'a'}} | ``",
        "v1 | PersistentVolumeClaim | persistentvolumeclaims |"
            + " {'metadata':{'name':'c','namespace':'a'}} | may only update PVC status",
      })
  void aNodeMakesItsOwnObjects(
      String version, String kind, String plural, String object, String reason) {
    var type = Requests.type(version, kind, plural);
    assertThat(reason(plugins.requests.create(type, json(object)))).isEqualTo(reason);
  }
}
