package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.bootstrap.BootstrapSigner;
import dev.muster.controllers.bootstrap.BootstrapTokenCleaner;
import dev.muster.controllers.certificates.RequestSigner;
import dev.muster.controllers.certificates.SigningAuthority;
import dev.muster.controllers.disruption.DisruptionController;
import dev.muster.controllers.pods.PodCollector;
import dev.muster.controllers.services.ServiceRangeController;
import dev.muster.controllers.volumes.AttributesClassProtection;
import dev.muster.controllers.volumes.ClaimProtection;
import dev.muster.controllers.volumes.VolumeProtection;
import dev.muster.pki.Authority;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.Pem;
import dev.muster.pki.PemBlock;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequestConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterHousekeepingTest {
  @TempDir private static Path folder;
  private TestCluster cluster;
  private KubernetesClient client;
  private final Authority authority =
      Authority.create("test-authority", Instant.now(), Duration.ofDays(365));
  private final KeyPair keys = GeneratedKeys.p256();

  @BeforeAll
  void start() throws Exception {
    cluster =
        TestCluster.start(
            folder,
            new DisruptionController(Clock.systemUTC()),
            new PodCollector(100, Clock.systemUTC()),
            new ClaimProtection(),
            new VolumeProtection(),
            new AttributesClassProtection(),
            new ServiceRangeController(Clock.systemUTC()),
            new BootstrapSigner(Clock.systemUTC()),
            new BootstrapTokenCleaner(Clock.systemUTC()),
            new RequestSigner(signingAuthority(), Duration.ofDays(30), Clock.systemUTC()));
    client = cluster.client();
  }

  private SigningAuthority signingAuthority() throws IOException {
    return SigningAuthority.read(
        Files.writeString(folder.resolve("signing.crt"), Pem.of(authority.certificate())),
        Files.writeString(folder.resolve("signing.key"), Pem.of(authority.key())));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void makeNamespace() {
    cluster.nextNamespace();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aBudgetSaysHowManyPodsMayGo() {
    cluster.create(
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace:"
            + " NAMESPACE}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}");
    for (var name : List.of("a", "b")) {
      cluster.create(
          "{apiVersion: v1, kind: Pod, metadata: {name: "
              + name
              + ", namespace: NAMESPACE, labels: {app: web}}, spec: {containers: [{name: c, image:"
              + " i}]}}");
      client
          .pods()
          .inNamespace(cluster.namespace())
          .withName(name)
          .editStatus(
              pod ->
                  pod.edit()
                      .editOrNewStatus()
                      .addNewCondition()
                      .withType("Ready")
                      .withStatus("True")
                      .endCondition()
                      .endStatus()
                      .build());
    }
    TestCluster.eventually(
        () -> {
          var status =
              client
                  .policy()
                  .v1()
                  .podDisruptionBudget()
                  .inNamespace(cluster.namespace())
                  .withName("b")
                  .get()
                  .getStatus();
          assertThat(status).isNotNull();
          assertThat(status.getCurrentHealthy()).isEqualTo(2);
          assertThat(status.getDisruptionsAllowed()).isEqualTo(1);
          assertThat(status.getConditions().getFirst().getReason()).isEqualTo("SufficientPods");
        });
  }

  @Test
  void aClaimGoesAfterThePodThatUsesIt() {
    var claim =
        cluster.create(
            "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace:"
                + " NAMESPACE}, spec: {accessModes: [ReadWriteOnce], resources: {requests:"
                + " {storage: 1Gi}}}}");
    cluster.create(
        "{apiVersion: v1, kind: Pod, metadata: {name: user, namespace: NAMESPACE}, spec: {nodeName:"
            + " n, containers: [{name: c, image: i}], volumes: [{name: v, persistentVolumeClaim:"
            + " {claimName: data}}]}}");
    TestCluster.eventually(
        () ->
            assertThat(client.resource(claim).get().getMetadata().getFinalizers())
                .contains("kubernetes.io/pvc-protection"));
    client.resource(claim).delete();
    assertThat(client.resource(claim).get().getMetadata().getDeletionTimestamp()).isNotNull();
    client.pods().inNamespace(cluster.namespace()).withName("user").withGracePeriod(0).delete();
    TestCluster.eventually(() -> assertThat(client.resource(claim).get()).isNull());
  }

  @Test
  void aVolumeThatIsNotBoundGoes() {
    var volume =
        cluster.create(
            "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v-NAMESPACE}, spec:"
                + " {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path:"
                + " /tmp}}}");
    TestCluster.eventually(
        () ->
            assertThat(client.resource(volume).get().getMetadata().getFinalizers())
                .contains("kubernetes.io/pv-protection"));
    client.resource(volume).delete();
    TestCluster.eventually(() -> assertThat(client.resource(volume).get()).isNull());
  }

  @Test
  void aClassOfAttributesGoesWhenNoClaimNamesItAnyMore() {
    cluster.create(
        "{apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: fast},"
            + " driverName: driver.example.com, parameters: {iops: '100'}}");
    cluster.create(
        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: NAMESPACE},"
            + " spec: {accessModes: [ReadWriteOnce], volumeAttributesClassName: fast, resources:"
            + " {requests: {storage: 1Gi}}}}");
    var fast =
        client
            .genericKubernetesResources("storage.k8s.io/v1", "VolumeAttributesClass")
            .withName("fast");
    TestCluster.eventually(
        () ->
            assertThat(fast.get().getMetadata().getFinalizers())
                .contains("kubernetes.io/vac-protection"));
    fast.delete();
    cluster.create(
        "{apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: unused},"
            + " driverName: driver.example.com, parameters: {iops: '100'}}");
    var unused =
        client
            .genericKubernetesResources("storage.k8s.io/v1", "VolumeAttributesClass")
            .withName("unused");
    unused.delete();
    TestCluster.eventually(() -> assertThat(unused.get()).isNull());
    assertThat(fast.get()).as("was deleted before, and is used").isNotNull();
    client.persistentVolumeClaims().inNamespace(cluster.namespace()).withName("c").delete();
    TestCluster.eventually(() -> assertThat(fast.get()).isNull());
  }

  @Test
  void aRangeOfAddressesBecomesReady() {
    cluster.create(
        "{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: more}, spec:"
            + " {cidrs: [10.77.0.0/24]}}");
    TestCluster.eventually(
        () -> {
          var range =
              client
                  .genericKubernetesResources("networking.k8s.io/v1", "ServiceCIDR")
                  .withName("more")
                  .get();
          assertThat(range.getMetadata().getFinalizers())
              .contains("networking.k8s.io/service-cidr-finalizer");
          assertThat(String.valueOf(range.getAdditionalProperties().get("status")))
              .contains("Kubernetes Service CIDR is ready");
        });
  }

  private String request(String subject) throws Exception {
    var content =
        new JcaPKCS10CertificationRequestBuilder(new X500Principal(subject), keys.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    return new PemBlock("CERTIFICATE REQUEST", false, content.getEncoded()).text();
  }

  @Test
  void anApprovedRequestIsSigned() throws Exception {
    // What is no block for kubectl and the API server is none for the signer, either.
    var pem = "note: " + request("CN=mallory") + request("CN=alice,O=people");
    cluster.create(
        "{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name:"
            + " alice}, spec: {signerName: kubernetes.io/kube-apiserver-client, expirationSeconds:"
            + " 3600, usages: [client auth], request: "
            + base64(pem)
            + "}}");
    var request = client.certificates().v1().certificateSigningRequests().withName("alice");
    request.approve(
        new CertificateSigningRequestConditionBuilder()
            .withType("Approved")
            .withStatus("True")
            .withReason("Test")
            .build());
    TestCluster.eventually(
        () -> assertThat(request.get().getStatus().getCertificate()).isNotEmpty());
    var bytes = Base64.getMimeDecoder().decode(request.get().getStatus().getCertificate());
    var certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(bytes));
    certificate.verify(authority.certificate().getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).contains("CN=alice");
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(certificate.getNotAfter()).isBefore(Date.from(Instant.now().plusSeconds(3700)));
  }

  @Test
  void bootstrapTokensSignAndEnd() {
    cluster.create(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: cluster-info, namespace: kube-public},"
            + " data: {kubeconfig: text}}");
    var token =
        "{apiVersion: v1, kind: Secret, type: bootstrap.kubernetes.io/token, metadata: {name:"
            + " bootstrap-token-%s, namespace: kube-system}, stringData: {token-id: %s,"
            + " token-secret: 0123456789abcdef, usage-bootstrap-signing: 'true', expiration:"
            + " '%s'}}";
    cluster.create(token.formatted("abcdef", "abcdef", Instant.now().plusSeconds(3600)));
    cluster.create(token.formatted("ended0", "ended0", Instant.now().minusSeconds(60)));
    TestCluster.eventually(
        () -> {
          var map = client.configMaps().inNamespace("kube-public").withName("cluster-info").get();
          assertThat(map.getData()).containsKey("jws-kubeconfig-abcdef");
          assertThat(map.getData()).doesNotContainKey("jws-kubeconfig-ended0");
        });
    var secrets = client.secrets().inNamespace("kube-system");
    TestCluster.eventually(
        () -> assertThat(secrets.withName("bootstrap-token-ended0").get()).isNull());
    assertThat(secrets.withName("bootstrap-token-abcdef").get()).isNotNull();
  }
}
