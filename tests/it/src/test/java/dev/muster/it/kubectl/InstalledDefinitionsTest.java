package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.it.Kubectl;
import dev.muster.it.ServerInProcess;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.NeedsProgram;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The definitions of software that people install, from a folder that is not part of the sources:
 * {@code -Dmuster.definitions=FOLDER}. Whatever is a CustomResourceDefinition in its YAML files is
 * installed; objects of those kinds are created, and must be refused where their file's path says
 * {@code invalid}.
 */
@Tag("slow")
@EnabledIfSystemProperty(
    named = "muster.definitions",
    matches = ".+",
    disabledReason = "needs -Dmuster.definitions=FOLDER with definitions and samples")
@NeedsProgram(value = "kubectl", from = "1.27")
class InstalledDefinitionsTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private ServerInProcess server;
  private KubernetesClient client;
  private Kubectl kubectl;
  private final Map<String, JsonObject> definitions = new LinkedHashMap<>();
  private final Map<String, JsonObject> samples = new LinkedHashMap<>();

  @BeforeEach
  void start() throws IOException {
    server = ServerInProcess.start(folder);
    client = Clients.of(server.kubeconfig());
    kubectl = Kubectl.of(server.kubeconfig());
    var given = Path.of(Objects.requireNonNull(System.getProperty("muster.definitions")));
    try (var files = Files.walk(given)) {
      for (var file : files.filter(one -> one.toString().matches(".*\\.ya?ml")).sorted().toList()) {
        read(file, given.relativize(file).toString());
      }
    }
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Files that are no YAML, such as templates, are passed over. */
  private void read(Path file, String name) throws IOException {
    var documents = Files.readString(file).split("(?m)^---.*$");
    for (int i = 0; i < documents.length; i++) {
      JsonObject object;
      try {
        // As kubectl reads it, for which 0755 is a number.
        var read = YamlReader.read(documents[i].getBytes(StandardCharsets.UTF_8));
        object = read instanceof JsonObject whole ? whole : JsonObject.EMPTY;
      } catch (RuntimeException e) {
        continue;
      }
      var kind = object.string("kind");
      if (kind.equals("CustomResourceDefinition")
          && object.string("apiVersion").equals("apiextensions.k8s.io/v1")) {
        definitions.putIfAbsent(object.object("metadata").string("name"), object);
      } else if (!kind.isEmpty()) {
        samples.put(name + "#" + i, object);
      }
    }
  }

  private JsonObject get(String path) {
    return (JsonObject) JsonReader.read(client.raw(path).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void areEstablishedServedAndExplained() {
    assertThat(definitions).isNotEmpty();
    definitions.values().forEach(one -> client.raw(DEFINITIONS, "POST", text(one)));
    for (var name : definitions.keySet()) {
      await().atMost(PATIENCE).until(() -> isEstablished(get(DEFINITIONS + "/" + name)));
    }
    var openApi = get("/openapi/v2").object("definitions").toString();
    for (var definition : definitions.values()) {
      for (var version : definition.object("spec").array("versions").objects()) {
        if (version.isTrue("served")) {
          isServed(definition.object("spec"), version.string("name"), openApi);
        }
      }
    }
    var surprises = new ArrayList<String>();
    client.raw("/api/v1/namespaces", "POST", "{\"metadata\":{\"name\":\"samples\"}}");
    samples.forEach((name, sample) -> create(name, sample, surprises));
    assertThat(surprises).isEmpty();
  }

  private static String text(Json json) {
    return new String(JsonWriter.bytes(json), StandardCharsets.UTF_8);
  }

  private static boolean isEstablished(JsonObject definition) {
    return definition.object("status").array("conditions").objects().stream()
        .anyMatch(
            condition ->
                condition.string("type").equals("Established")
                    && condition.string("status").equals("True"));
  }

  private void isServed(JsonObject spec, String version, String openApi) {
    var group = spec.string("group");
    var kind = spec.object("names").string("kind");
    var plural = spec.object("names").string("plural");
    var discovered = get("/apis/" + group + "/" + version).array("resources").objects();
    assertThat(discovered).anyMatch(one -> one.string("name").equals(plural));
    var known =
        "{\"group\":\"%s\",\"kind\":\"%s\",\"version\":\"%s\"}".formatted(group, kind, version);
    assertThat(openApi.contains(known)).as("OpenAPI v2 knows %s", known).isTrue();
    assertThat(get("/openapi/v3/apis/" + group + "/" + version).toString().contains(known))
        .as("OpenAPI v3 knows %s", known)
        .isTrue();
    assertThat(
            kubectl.succeed(
                "explain", plural, "--recursive", "--api-version=" + group + "/" + version))
        .containsPattern("KIND: +" + kind)
        .contains("FIELDS:", "apiVersion", "metadata");
  }

  /** Creates a sample under a name of its own, for several files may use the same. */
  private void create(String name, JsonObject sample, List<String> surprises) {
    for (var definition : definitions.values()) {
      var spec = definition.object("spec");
      var names = spec.object("names");
      boolean isOfKind =
          sample.string("kind").equals(names.string("kind"))
              && sample.string("apiVersion").startsWith(spec.string("group") + "/");
      if (isOfKind) {
        var path =
            "/apis/"
                + sample.string("apiVersion")
                + (spec.string("scope").equals("Namespaced") ? "/namespaces/samples/" : "/")
                + names.string("plural")
                + "?fieldValidation=Strict&dryRun=All";
        var metadata = sample.object("metadata").without("namespace");
        var named =
            metadata.string("name").isEmpty() ? metadata.with("generateName", "x-") : metadata;
        boolean refused = false;
        var why = "";
        try {
          client.raw(path, "POST", text(sample.with("metadata", named)));
        } catch (RuntimeException e) {
          refused = true;
          why = String.valueOf(e.getMessage());
        }
        if (refused != name.contains("invalid")) {
          surprises.add(name + ": " + (refused ? why : "was not refused"));
        }
      }
    }
  }
}
