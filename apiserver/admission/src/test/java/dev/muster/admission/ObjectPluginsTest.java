package dev.muster.admission;

import static dev.muster.admission.Plugins.CLAIMS;
import static dev.muster.admission.Plugins.CONFIG_MAPS;
import static dev.muster.admission.Plugins.NAMESPACES;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.permissions.Certificates;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.Requests;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.pki.GeneratedKeys;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.ServedType;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

class ObjectPluginsTest {
  private static final ServedType CSRS =
      Requests.type(
          "certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests");

  private final Plugins plugins = new Plugins();
  private final JsonObject map = json("{'metadata':{'name':'m','namespace':'a'}}");

  @Test
  void nothingIsMadeInMissingNamespaces() {
    var plugin = plugins.plugin("NamespaceLifecycle");
    assertThatThrownBy(() -> plugin.admit(plugins.requests.create(CONFIG_MAPS, map)))
        .hasMessage("namespaces \"a\" not found");
    assertThatThrownBy(() -> plugin.admit(plugins.requests.update(CONFIG_MAPS, map, map)))
        .hasMessage("namespaces \"a\" not found");
    plugins.cluster.put("/namespaces", json("{'metadata':{'name':'a'}}"));
    assertThat(plugin.admit(plugins.requests.create(CONFIG_MAPS, map))).isSameAs(map);
  }

  @Test
  void nothingIsMadeInNamespacesOnTheirWayOut() {
    plugins.cluster.put(
        "/namespaces", json("{'metadata':{'name':'a'},'status':{'phase':'Terminating'}}"));
    var plugin = plugins.plugin("NamespaceLifecycle");
    assertThatThrownBy(() -> plugin.admit(plugins.requests.create(CONFIG_MAPS, map)))
        .hasMessage(
            "configmaps \"m\" is forbidden: unable to create new content in namespace a because it"
                + " is being terminated")
        .extracting(e -> ((ApiException) e).details().causes())
        .isEqualTo(
            List.of(
                new StatusDetails.Cause(
                    "NamespaceTerminating",
                    "namespace a is being terminated",
                    "metadata.namespace")));
    assertThatCode(() -> plugin.admit(plugins.requests.update(CONFIG_MAPS, map, map)))
        .doesNotThrowAnyException();
  }

  @Test
  void someNamespacesStay() {
    var plugin = plugins.plugin("NamespaceLifecycle");
    var system = json("{'metadata':{'name':'kube-system'}}");
    for (var delete :
        List.of(
            plugins.requests.delete(NAMESPACES, system),
            plugins.requests.deleteMember(NAMESPACES, system))) {
      assertThatThrownBy(() -> plugin.admit(delete))
          .hasMessage("namespaces \"kube-system\" is forbidden: this namespace may not be deleted");
    }
  }

  @Test
  void claimsGetTheNewestDefaultClass() {
    plugins
        .cluster
        .put("/storageclasses", storageClass("old", "2025-01-01T00:00:00Z", "true"))
        .put("/storageclasses", storageClass("new", "2025-06-01T00:00:00Z", "true"))
        .put("/storageclasses", storageClass("off", "2025-09-01T00:00:00Z", "false"));
    var claim = json("{'metadata':{'name':'c','namespace':'a'},'spec':{}}");
    var plugin = plugins.plugin("DefaultStorageClass");
    assertThat(plugin.admit(plugins.requests.create(CLAIMS, claim)).object("spec"))
        .isEqualTo(json("{'storageClassName':'new'}"));
    var own = claim.withAt(Json.of(""), "spec", "storageClassName");
    assertThat(plugin.admit(plugins.requests.create(CLAIMS, own))).isSameAs(own);
  }

  private static JsonObject storageClass(String name, String created, String isDefault) {
    return json(
        ("{'metadata':{'name':'%s','creationTimestamp':'%s','annotations':"
                + "{'storageclass.kubernetes.io/is-default-class':'%s'}}}")
            .formatted(name, created, isDefault));
  }

  @Test
  void ingressesGetTheDefaultClass() {
    plugins.cluster.put(
        "/ingressclasses",
        json(
            "{'metadata':{'name':'web','annotations':"
                + "{'ingressclass.kubernetes.io/is-default-class':'true'}}}"));
    var type = Requests.type("networking.k8s.io/v1", "Ingress", "ingresses");
    var ingress = json("{'metadata':{'name':'i','namespace':'a'}}");
    var plugin = plugins.plugin("DefaultIngressClass");
    assertThat(plugin.admit(plugins.requests.create(type, ingress)).object("spec"))
        .isEqualTo(json("{'ingressClassName':'web'}"));
    var own =
        ingress.withAt(Json.of("x"), "metadata", "annotations", "kubernetes.io/ingress.class");
    assertThat(plugin.admit(plugins.requests.create(type, own))).isSameAs(own);
  }

  @Test
  void storageInUseIsProtected() {
    var claim = json("{'metadata':{'name':'c','namespace':'a'}}");
    var plugin = plugins.plugin("StorageObjectInUseProtection");
    var admitted = plugin.admit(plugins.requests.create(CLAIMS, claim));
    assertThat(admitted.object("metadata").array("finalizers").strings())
        .containsExactly("kubernetes.io/pvc-protection");
    assertThat(plugin.admit(plugins.requests.create(CLAIMS, admitted))).isSameAs(admitted);
  }

  @Test
  void claimsGrowWhenTheirClassAllowsIt() {
    plugins.cluster.put(
        "/storageclasses", json("{'metadata':{'name':'fast'},'allowVolumeExpansion':true}"));
    var old = claim("fast", "1Gi", "Bound");
    assertThatCode(() -> resize(claim("fast", "2Gi", "Bound"), old)).doesNotThrowAnyException();
    assertThatCode(() -> resize(claim("slow", "1Gi", "Bound"), claim("slow", "1024Mi", "Lost")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> resize(claim("fast", "2Gi", ""), claim("fast", "1Gi", "Pending")))
        .hasMessageEndingWith("Only bound persistent volume claims can be expanded");
    assertThatThrownBy(() -> resize(claim("slow", "2Gi", "Bound"), claim("slow", "1Gi", "Bound")))
        .hasMessageEndingWith(
            "only dynamically provisioned pvc can be resized and the storageclass that provisions"
                + " the pvc must support resize");
  }

  private void resize(JsonObject claim, JsonObject old) {
    plugins
        .plugin("PersistentVolumeClaimResize")
        .validate(plugins.requests.update(CLAIMS, claim, old));
  }

  private static JsonObject claim(String storageClass, String size, String phase) {
    return json(
        ("{'metadata':{'name':'c','namespace':'a'},'spec':{'storageClassName':'%s',"
                + "'resources':{'requests':{'storage':'%s'}}},'status':{'phase':'%s'}}")
            .formatted(storageClass, size, phase));
  }

  private AdmissionRequest approval(String subresource, JsonObject now, JsonObject before) {
    return plugins.requests.request(AdmissionOperation.UPDATE, CSRS, subresource, now, before);
  }

  @Test
  void approvingAndSigningTakeTheVerbOnTheSigner() {
    Authorizer wildcard =
        a ->
            a.resource().equals("signers") && a.name().equals("acme.com/*")
                ? Decision.allow("")
                : Decision.NO_OPINION;
    var mine = json("{'metadata':{'name':'c'},'spec':{'signerName':'acme.com/x'}}");
    var other = json("{'metadata':{'name':'c'},'spec':{'signerName':'kubernetes.io/x'}}");
    var approval = new Certificates.Approval(wildcard);
    assertThatCode(() -> approval.validate(approval("approval", mine, mine)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> approval.validate(approval("approval", other, other)))
        .hasMessage(
            "certificatesigningrequests.certificates.k8s.io \"c\" is forbidden: user not permitted"
                + " to approve requests with signerName \"kubernetes.io/x\"");
    var signing = new Certificates.Signing(wildcard);
    assertThatCode(() -> signing.validate(approval("status", other, other)))
        .doesNotThrowAnyException();
    var signed = other.withAt(Json.of("Y2VydA=="), "status", "certificate");
    assertThatThrownBy(() -> signing.validate(approval("status", signed, other)))
        .hasMessageEndingWith(
            "user not permitted to sign requests with signerName \"kubernetes.io/x\"");
  }

  @Test
  void nobodyBecomesMasterByCertificate() throws Exception {
    var plugin = plugins.plugin("CertificateSubjectRestriction");
    assertThatCode(() -> plugin.validate(plugins.requests.create(CSRS, csr("O=devs,CN=jane"))))
        .doesNotThrowAnyException();
    var masters = csr("O=devs,O=system:masters,CN=jane");
    assertThatThrownBy(() -> plugin.validate(plugins.requests.create(CSRS, masters)))
        .hasMessage(
            "certificatesigningrequests.certificates.k8s.io \"c\" is forbidden: use of"
                + " kubernetes.io/kube-apiserver-client signer with system:masters group is not"
                + " allowed");
  }

  private static JsonObject csr(String subject) throws Exception {
    var keys = GeneratedKeys.p256();
    var request =
        new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), keys.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(request);
    }
    var base64 =
        Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", "c"),
        "spec",
        JsonObject.of("signerName", "kubernetes.io/kube-apiserver-client", "request", base64));
  }

  @Test
  void theChainKnowsUpstreamsPlugins() {
    assertThatThrownBy(() -> plugins.chain(List.of("Nonsense"), List.of()))
        .hasMessage("enable-admission-plugins plugin \"Nonsense\" is unknown");
    assertThatThrownBy(() -> plugins.chain(List.of("Priority"), List.of("Priority")))
        .hasMessage(
            "[Priority] in enable-admission-plugins and disable-admission-plugins overlapped");
    assertThatThrownBy(() -> plugins.chain(List.of("ImagePolicyWebhook"), List.of()))
        .hasMessage("--admission-control-config-file: ImagePolicyWebhook: no config specified");
    plugins.cluster.put("/namespaces", json("{'metadata':{'name':'a'}}"));
    var request = plugins.requests.create(PODS, pod("{'containers':[{'name':'c'}]}"));
    var spec = plugins.chain(List.of("AlwaysPullImages"), List.of("ServiceAccount")).admit(request);
    assertThat(spec.object("spec").integer("priority", -1)).isZero();
    assertThat(spec.object("spec").array("tolerations").size()).isEqualTo(2);
    assertThat(spec.object("spec").array("containers").object(0).string("imagePullPolicy"))
        .isEqualTo("Always");
    assertThatThrownBy(
            () -> plugins.chain(List.of("AlwaysDeny"), List.of("ServiceAccount")).admit(request))
        .isInstanceOf(ApiException.class);
  }
}
