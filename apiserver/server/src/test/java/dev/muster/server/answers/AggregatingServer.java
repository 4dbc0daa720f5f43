package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import dev.muster.server.options.AggregatorOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A server in a network of its own, with an API server behind it that answers for a group. */
final class AggregatingServer implements AutoCloseable {
  static final Duration DAY = Duration.ofDays(1);
  static final Authority AUTHORITY = authority("ext-ca");
  static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

  /** The group that the server behind answers for. */
  static final String GROUP = "main.example.com";

  private static final Authority FRONT = authority("front-ca");

  private final Path folder;
  private final TestNetwork network = new TestNetwork();
  private final AtomicInteger addresses = new AtomicInteger();
  private final RunningServer server;
  private final ExtensionServer extension;

  private AggregatingServer(Path folder) throws Exception {
    this.folder = folder;
    var files = show("front-proxy");
    this.server =
        RunningServer.start(
            folder, options -> options.withApi(options.api().withAggregator(files)), network);
    this.extension = ExtensionServer.start(GROUP, serving("main"));
  }

  private static Authority authority(String name) {
    return Authority.create(name, Instant.now(), DAY);
  }

  static AggregatingServer start(Path folder) throws Exception {
    var made = new AggregatingServer(folder);
    made.register("main", GROUP, made.extension.backend(), bundle(AUTHORITY));
    made.awaitCondition(GROUP, "Passed");
    return made;
  }

  RunningServer server() {
    return server;
  }

  ExtensionServer extension() {
    return extension;
  }

  TestNetwork network() {
    return network;
  }

  /** Writes the files of a new certificate of that name, which servers behind are shown. */
  AggregatorOptions show(String name) throws IOException {
    var identity = FRONT.client(name, List.of(), Instant.now(), DAY);
    return AggregatorOptions.defaults()
        .showing(
            Files.writeString(folder.resolve("proxy.crt"), Pem.of(identity.chain())),
            Files.writeString(folder.resolve("proxy.key"), Pem.of(identity.key())));
  }

  static Identity serving(String service) {
    return AUTHORITY.server(
        "ext",
        CertificateNames.of(List.of(service + ".default.svc"), List.of()),
        Instant.now(),
        DAY);
  }

  static String bundle(Authority authority) {
    var pem = Pem.of(authority.certificate());
    return "\"caBundle\":\""
        + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8))
        + "\"";
  }

  void service(String name) {
    created(
        "/api/v1/namespaces/default/services",
        """
        {"metadata":{"name":"%s"},"spec":{"ports":[{"name":"https","port":443}]}}
        """
            .formatted(name));
  }

  /** A service with one endpoint, and an APIService for it. */
  void register(String name, String group, TestBackend backend, String trust) {
    service(name);
    var address = "203.0.113." + addresses.incrementAndGet();
    network.at(address, 8443, backend);
    created(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"metadata":{"name":"%1$s","labels":{"kubernetes.io/service-name":"%1$s"}},
         "addressType":"IPv4","endpoints":[{"addresses":["%2$s"]}],
         "ports":[{"name":"https","port":8443}]}
        """
            .formatted(name, address));
    apiService(name, group, "v1", 10, trust);
  }

  void apiService(String service, String group, String version, int priority, String trust) {
    var made =
        created(
            SERVICES,
            """
            {"metadata":{"name":"%2$s.%1$s"},
             "spec":{"group":"%1$s","version":"%2$s","groupPriorityMinimum":100,
                     "versionPriority":%3$d,
                     "service":{"namespace":"default","name":"%4$s"},%5$s}}
            """
                .formatted(group, version, priority, service, trust));
    assertThat(made.warnings()).isEmpty();
  }

  RunningServer.Answer created(String path, String body) {
    var answer = server.post(path, body);
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    return answer;
  }

  private JsonObject condition(String group) {
    var conditions =
        server.get(SERVICES + "/v1." + group).object().object("status").array("conditions");
    return conditions.isEmpty() ? JsonObject.EMPTY : conditions.object(0);
  }

  JsonObject awaitCondition(String group, String reason) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> condition(group).string("reason"), reason::equals);
    return condition(group);
  }

  @Override
  public void close() {
    server.close();
    extension.close();
  }
}
