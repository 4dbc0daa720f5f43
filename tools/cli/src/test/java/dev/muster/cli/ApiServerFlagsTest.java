package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.cli.command.CommandTree;
import dev.muster.cli.identity.ClusterIdentityFlags;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.endpoints.EndpointOptions;
import dev.muster.fleet.endpoints.ReconcilerType;
import dev.muster.model.address.Cidr;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.LoggingOptions;
import dev.muster.server.options.StorageOptions.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiServerFlagsTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private ApiServerFlags read =
      new ApiServerFlags(
          ApiServerOptions.defaults(),
          FleetOptions.defaults(),
          ClusterIdentityFlags.defaults(),
          EtcdFlags.defaults(),
          List.of());
  private int exitCode;

  @BeforeEach
  void nothingHasRun() {
    exitCode = -1;
  }

  @Test
  void withoutFlagsAllDefaultsHold() {
    run();
    assertThat(exitCode).isZero();
    assertThat(read.server()).isEqualTo(ApiServerOptions.defaults());
    assertThat(read.etcd()).isEqualTo(EtcdFlags.defaults());
  }

  @Test
  void readsEveryKindOfValue() {
    run(
        "--etcd-servers=https://10.0.0.1:2379,https://10.0.0.2:2379",
        "--etcd-servers",
        "https://10.0.0.3:2379",
        "--etcd-prefix=/other",
        "--bind-address=10.0.0.1,fd00::1",
        "--secure-port",
        "7443",
        "--client-ca-file=/pki/ca.crt",
        "--anonymous-auth=false",
        "--service-cluster-ip-range=10.96.0.0/12,fd00:1::/108",
        "--authorization-mode=Node,RBAC",
        "--storage-media-type=application/vnd.kubernetes.protobuf",
        "--event-ttl=90m",
        "--goaway-chance=0.001",
        "--feature-gates=APIServerIdentity=true,DualStackAPIServer=false",
        "--feature-gates=WatchList=true",
        "--runtime-config=api/all=true,v1beta1",
        "--shutdown-send-retry-after",
        "--logging-format=json",
        "-v=4");
    assertThat(err()).isEmpty();
    var server = read.server();
    assertThat(read.etcd().servers())
        .containsExactly("https://10.0.0.1:2379", "https://10.0.0.2:2379", "https://10.0.0.3:2379");
    assertThat(read.etcd().prefix()).isEqualTo("/other");
    assertThat(server.listen().bindAddresses())
        .containsExactly(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("fd00::1"));
    assertThat(server.listen().securePort()).isEqualTo(7443);
    assertThat(server.authentication().clientCaFile()).isEqualTo(Path.of("/pki/ca.crt"));
    assertThat(server.authentication().anonymous()).isFalse();
    assertThat(server.services().clusterIpRanges())
        .containsExactly(Cidr.parse("10.96.0.0/12"), Cidr.parse("fd00:1::/108"));
    assertThat(server.authorization().modes())
        .containsExactly(AuthorizerType.NODE, AuthorizerType.RBAC);
    assertThat(server.storage().mediaType()).isEqualTo(MediaType.PROTOBUF);
    assertThat(server.storage().eventTtl()).isEqualTo(Duration.ofMinutes(90));
    assertThat(server.api().featureGates())
        .isEqualTo(
            Map.of("APIServerIdentity", true, "DualStackAPIServer", false, "WatchList", true));
    assertThat(server.api().runtimeConfig()).isEqualTo(Map.of("api/all", true, "v1beta1", true));
    assertThat(server.shutdown().sendRetryAfter()).isTrue();
    assertThat(server.log()).isEqualTo(new LoggingOptions(4, LoggingOptions.Format.JSON));
  }

  @Test
  void readsHowEndpointsAreKept() {
    run(
        "--endpoint-reconciler-type=master-count",
        "--apiserver-count=3",
        "--endpoint-reconciler-interval=2s",
        "--endpoint-reconciler-lease-duration=5s");
    assertThat(read.fleet().endpoints())
        .isEqualTo(
            EndpointOptions.defaults()
                .withType(ReconcilerType.MASTER_COUNT)
                .withServerCount(3)
                .withTimes(Duration.ofSeconds(2), Duration.ofSeconds(5)));
    run("--alpha-apiserver-endpoint-reconciler-type=configmap");
    assertThat(read.fleet().endpoints().reconciler()).isEqualTo(ReconcilerType.CONFIGMAP);
  }

  @Test
  void theLastOfSeveralSingleValuesCounts() {
    run("--secure-port=1", "--secure-port=2");
    assertThat(read.server().listen().securePort()).isEqualTo(2);
  }

  @Test
  void anEmptyFileNameMeansNone() {
    run("--token-auth-file=");
    assertThat(read.server().authentication().tokenFile()).isNull();
  }

  @Test
  void aKubeadmManifestIsAccepted() {
    run(
        "--advertise-address=10.0.0.4",
        "--allow-privileged=true",
        "--authorization-mode=Node,RBAC",
        "--client-ca-file=/etc/kubernetes/pki/ca.crt",
        "--enable-admission-plugins=NodeRestriction",
        "--enable-bootstrap-token-auth=true",
        "--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt",
        "--etcd-certfile=/etc/kubernetes/pki/apiserver-etcd-client.crt",
        "--etcd-keyfile=/etc/kubernetes/pki/apiserver-etcd-client.key",
        "--etcd-servers=https://127.0.0.1:2379",
        "--kubelet-client-certificate=/etc/kubernetes/pki/apiserver-kubelet-client.crt",
        "--kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key",
        "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
        "--proxy-client-cert-file=/etc/kubernetes/pki/front-proxy-client.crt",
        "--proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key",
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-username-headers=X-Remote-User",
        "--secure-port=6443",
        "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
        "--service-account-key-file=/etc/kubernetes/pki/sa.pub",
        "--service-account-signing-key-file=/etc/kubernetes/pki/sa.key",
        "--service-cluster-ip-range=10.96.0.0/12",
        "--tls-cert-file=/etc/kubernetes/pki/apiserver.crt",
        "--tls-private-key-file=/etc/kubernetes/pki/apiserver.key");
    assertThat(err()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(read.remarks())
        .noneMatch(remark -> remark.contains("kubelet"))
        .noneMatch(remark -> remark.contains("proxy-client"))
        .allSatisfy(remark -> assertThat(remark).doesNotContain("\n"));
    assertThat(read.server().api().aggregator().clientKeyFile())
        .isEqualTo(Path.of("/etc/kubernetes/pki/front-proxy-client.key"));
    var nodes = read.server().nodes();
    assertThat(nodes.allowPrivileged()).isTrue();
    assertThat(nodes.kubeletKeyFile())
        .isEqualTo(Path.of("/etc/kubernetes/pki/apiserver-kubelet-client.key"));
    assertThat(nodes.kubeletAddressTypes()).containsExactly("InternalIP", "ExternalIP", "Hostname");
  }

  @Test
  void gatesThatAskForSomethingElseThanThereIsAreTold() {
    run(
        "--feature-gates=GenericWorkload=true,WatchList=true,KMSv1=true,"
            + "StrictIPCIDRValidation=false,DualStackAPIServer=false");
    assertThat(read.remarks())
        .containsExactly(
            "--feature-gates=GenericWorkload=true has no effect",
            "--feature-gates=StrictIPCIDRValidation=false has no effect");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--no-such-flag=1 | unknown flag: --no-such-flag",
        "--no-such-flag | unknown flag: --no-such-flag",
        "-x | unknown flag: -x",
        "word | unexpected argument \"word\"",
        "--secure-port=x | --secure-port: \"x\" is not a whole number",
        "--secure-port= | --secure-port: \"\" is not a whole number",
        "--secure-port | --secure-port: needs a value",
        "--secure-port=70000 | --secure-port: 70000 is not between 0 and 65535",
        "--bind-address=1.2.3 | --bind-address: invalid IP address: 1.2.3",
        "--bind-address=1.1.1.1,2.2.2.2 | --bind-address: a pair needs one IPv4 and one IPv6"
            + " address",
        "--advertise-address=::1,::2 | --advertise-address: a pair needs one IPv4 and one IPv6"
            + " address",
        "--advertise-address=1.1.1.1,::2,::3 | --advertise-address: takes one address or a pair,"
            + " not 3",
        "--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24 | --service-cluster-ip-range: a pair"
            + " needs one IPv4 and one IPv6 range",
        "--endpoint-reconciler-type=x | --endpoint-reconciler-type: \"x\" is not one of lease,"
            + " configmap, master-count, none",
        "--alpha-apiserver-endpoint-reconciler-type=lease |"
            + " --alpha-apiserver-endpoint-reconciler-type: \"lease\" is not one of configmap,"
            + " default",
        "--apiserver-count=0 | --apiserver-count: 0 is less than 1: a server counts itself",
        "--service-cluster-ip-range=x | --service-cluster-ip-range: invalid CIDR address: x",
        "--event-ttl=1 | --event-ttl: \"1\" is not a duration such as 1m30s",
        "--event-ttl=-1s | --event-ttl: must be greater than zero",
        "--anonymous-auth=maybe | --anonymous-auth: \"maybe\" is neither true nor false",
        "--authorization-mode=Magic | --authorization-mode: \"Magic\" is not one of AlwaysAllow,"
            + " AlwaysDeny, ABAC, Webhook, RBAC, Node",
        "--authorization-mode=ABAC | authorization-mode ABAC's authorization policy file not"
            + " passed",
        "--authorization-mode=Webhook | authorization-mode Webhook's authorization config file not"
            + " passed",
        "--authorization-policy-file=/x | cannot specify --authorization-policy-file without mode"
            + " ABAC",
        "--authorization-webhook-config-file=/x | cannot specify"
            + " --authorization-webhook-config-file without mode Webhook",
        "--authorization-webhook-version=v2 | unsupported webhook authorizer version \"v2\","
            + " supported versions are \"v1\", \"v1beta1\"",
        "--storage-media-type=text/plain | --storage-media-type: \"text/plain\" is not one of"
            + " application/json, application/yaml, application/vnd.kubernetes.protobuf",
        "--feature-gates=Nope=true | --feature-gates: unrecognized feature gate: Nope",
        "--feature-gates=WatchList=x | --feature-gates: \"x\" is neither true nor false",
        "--enable-admission-plugins=Nope | --enable-admission-plugins: unknown admission plugin"
            + " \"Nope\"",
        "--etcd-servers=unix:///run/etcd | --etcd-servers: \"unix:///run/etcd\" is not an http or"
            + " https URL",
        "--etcd-certfile=a | --etcd-certfile and --etcd-keyfile: give both or none",
        "--kubelet-client-key=a | --kubelet-client-certificate and --kubelet-client-key: give both"
            + " or none",
        "--kubelet-port=0 | --kubelet-port: 0 is not between 1 and 65535",
        "--tls-cert-file=a | --tls-cert-file and --tls-private-key-file: give both or none",
        "--encryption-provider-config-automatic-reload |"
            + " --encryption-provider-config-automatic-reload: must be set with"
            + " --encryption-provider-config",
        "--etcd-servers-overrides=x | --etcd-servers-overrides: a flag of kube-apiserver"
            + " that Muster does not support",
        "--peer-ca-file=x | --peer-ca-file: needs --proxy-client-cert-file",
      })
  void saysInOneLineWhatIsWrongAndExitsWith1(String argument, String message) {
    run(argument);
    assertThat(err()).isEqualTo("muster apiserver: " + message + "\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void saysWhichFlagsContradictOneAnother() {
    refuses(
        "--alpha-apiserver-endpoint-reconciler-type: configmap contradicts"
            + " --endpoint-reconciler-type=lease",
        "--alpha-apiserver-endpoint-reconciler-type=configmap",
        "--endpoint-reconciler-type=lease");
    refuses(
        "--advertise-address: fd78::1 is an IPv6 address, but --bind-address, 10.78.0.1, listens on"
            + " IPv4 only",
        "--bind-address=10.78.0.1",
        "--advertise-address=10.78.0.1,fd78::1",
        "--service-cluster-ip-range=10.0.0.0/24,fd00::/112");
    refuses(
        "--bind-address: fd78::1 is an IPv6 address, but the first range of"
            + " --service-cluster-ip-range, 10.0.0.0/24, is of the other family: nobody would be"
            + " behind the Service kubernetes",
        "--bind-address=fd78::1");
    refuses(
        "--advertise-address: 224.0.0.1 is a multicast address, and no server's own",
        "--advertise-address=224.0.0.1");
  }

  @Test
  void saysThatAnAddressIsGivenOnce() {
    refuses(
        "--advertise-address: given 2 times (10.0.0.1 and 10.0.0.2); give it once, with a comma"
            + " between the two of a pair",
        "--advertise-address=10.0.0.1",
        "--advertise-address=10.0.0.2");
    refuses(
        "--advertise-address: 10.0.0.1 is given twice", "--advertise-address=10.0.0.1,10.0.0.1");
    refuses(
        "--bind-address: given 2 times (10.0.0.1 and fd00::1); give it once, with a comma between"
            + " the two of a pair",
        "--bind-address=10.0.0.1",
        "--bind-address",
        "fd00::1");
  }

  private void refuses(String message, String... arguments) {
    err.reset();
    run(arguments);
    assertThat(err()).isEqualTo("muster apiserver: " + message + "\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void helpListsEveryFlagUnderItsHeading() {
    run("--help");
    assertThat(exitCode).isZero();
    var help = out.toString(StandardCharsets.UTF_8);
    assertThat(help)
        .contains("Listening:", "Etcd:", "Authentication:", "Accepted, without effect:");
    for (var flag : ApiServerFlags.definitions()) {
      assertThat(help).contains("--" + flag.name());
    }
    assertThat(help).contains("(default 6443)", "(default 1m0s)");
  }

  private void run(String... flags) {
    var arguments = new String[flags.length + 1];
    arguments[0] = "apiserver";
    System.arraycopy(flags, 0, arguments, 1, flags.length);
    var reader = new FlagReading.Reader();
    exitCode =
        new CommandTree(
                List.of(reader),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(arguments);
    reader.read.forEach(one -> read = one);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
