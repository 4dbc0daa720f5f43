package dev.muster.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.it.Kubectl;
import dev.muster.it.ServerInProcess;
import dev.muster.testing.NeedsProgram;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.openapi.apis.ApisApi;
import io.kubernetes.client.openapi.apis.CoreApi;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.util.Config;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that refuse fields that they do not know read discovery of a server that says whether its
 * fleet agrees. Other versions than the one that tests use are downloaded, and therefore run with
 * {@code -Dmuster.clients=all} only.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientDiscoveryTest {
  @TempDir private static Path folder;
  private ServerInProcess server;

  @BeforeAll
  void start() throws IOException {
    server = ServerInProcess.start(folder, Fleet.extensions(FleetOptions.defaults()));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void officialJavaClientDiscoversWhatIsServed() throws Exception {
    var client = Config.fromConfig(server.kubeconfig().toString());
    assertThat(new Discovery(client).findAll())
        .anyMatch(each -> each.getKind().equals("Deployment"));
    assertThat(new CoreApi(client).getAPIVersions().execute().getVersions()).containsExactly("v1");
    assertThat(new ApisApi(client).getAPIVersions().execute().getGroups()).isNotEmpty();
    assertThat(new CoreV1Api(client).getAPIResources().execute().getResources()).isNotEmpty();
  }

  @Test
  void fabric8ClientDiscoversWhatIsServed() throws Exception {
    var context = Kubeconfig.read(server.kubeconfig()).currentContext();
    try (var client = Clients.of(server.kubeconfig(), context, Duration.ofMinutes(1))) {
      assertThat(client.getApiGroups().getGroups()).isNotEmpty();
      assertThat(client.getApiResources("apps/v1").getResources()).isNotEmpty();
    }
  }

  @Test
  @NeedsProgram("kubectl")
  void everyOtherClientSeesTheField() throws Exception {
    var kubectl = Kubectl.of(server.kubeconfig());
    for (var path : List.of("/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1")) {
      await()
          .untilAsserted(
              () ->
                  assertThat(kubectl.run("get", "--raw", path).out())
                      .as(path)
                      .contains("\"consistent\":true"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18.0.1", "19.0.3", "20.0.1", "21.0.2", "22.0.1", "23.0.0", "24.0.0", "25.0.0", "26.0.0",
        "27.0.0"
      })
  @EnabledIfSystemProperty(named = "muster.clients", matches = "all")
  void everyOfficialJavaClientDiscoversWhatIsServed(String version) throws Exception {
    assertThat(run("OfficialClient", "io.kubernetes", "client-java", version))
        .contains("discovered");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.12.4", "6.14.0", "7.9.0"})
  @EnabledIfSystemProperty(named = "muster.clients", matches = "all")
  void everyFabric8ClientDiscoversWhatIsServed(String version) throws Exception {
    assertThat(run("Fabric8Client", "io.fabric8", "kubernetes-client", version))
        .contains("discovered");
  }

  @Test
  @EnabledIfSystemProperty(named = "muster.clients", matches = "all")
  void javaScriptClientDiscoversWhatIsServed() throws Exception {
    assumeThat(onPath("npm")).as("npm is installed").isTrue();
    var project = Files.createDirectories(folder.resolve("javascript"));
    output(project, "npm", "install", "--no-audit", "--no-fund", "@kubernetes/client-node@1");
    Files.writeString(
        project.resolve("discover.mjs"),
        """
        import * as k8s from '@kubernetes/client-node';
        const config = new k8s.KubeConfig();
        config.loadFromFile(process.argv[2]);
        const core = await config.makeApiClient(k8s.CoreApi).getAPIVersions();
        const groups = await config.makeApiClient(k8s.ApisApi).getAPIVersions();
        const resources = await config.makeApiClient(k8s.CoreV1Api).getAPIResources();
        const client = k8s.KubernetesObjectApi.makeApiClient(config);
        await client.list('apps/v1', 'Deployment');
        console.log('discovered', core.versions, groups.groups.length, resources.resources.length);
        """);
    assertThat(output(project, "node", "discover.mjs", server.kubeconfig().toString()))
        .contains("discovered");
  }

  private static boolean onPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private String run(String program, String group, String artifact, String version)
      throws Exception {
    var project = Files.createDirectories(folder.resolve(program + "-" + version));
    Files.writeString(
        project.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>test</groupId><artifactId>test</artifactId><version>1</version>
          <packaging>pom</packaging>
          <dependencies>
            <dependency>
              <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
            </dependency>
          </dependencies>
        </project>
        """
            .formatted(group, artifact, version));
    output(
        project,
        Path.of("..", "..", "mvnw").toAbsolutePath().normalize().toString(),
        "-B",
        "-q",
        "--no-transfer-progress",
        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
        "-Dmdep.outputFile=classpath");
    var source = project.resolve(program + ".java");
    try (var in = ClientDiscoveryTest.class.getResourceAsStream(program + ".java")) {
      Files.copy(in, source);
    }
    return output(
        project,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        Files.readString(project.resolve("classpath")),
        source.toString(),
        server.kubeconfig().toString());
  }

  private static String output(Path project, String... command)
      throws IOException, InterruptedException {
    var log = Files.createTempFile(project, "run", ".log");
    var process =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    process.environment().remove("MAVEN_OPTS");
    var started = process.start();
    try {
      boolean ended = started.waitFor(10, TimeUnit.MINUTES);
      var text = Files.readString(log);
      assertThat(ended && started.exitValue() == 0).as(text).isTrue();
      return text;
    } finally {
      started.descendants().forEach(ProcessHandle::destroyForcibly);
      started.destroyForcibly();
    }
  }
}
