package dev.muster.controllers.storageversions;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The requests of storage migrations to an API server. Thread-safe. Blocks the caller. */
final class HttpMigrationApi implements MigrationApi {
  static final String PREFIX = "/apis/storagemigration.k8s.io/v1beta1";
  static final String PLURAL = "storageversionmigrations";
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final int PAGE = 500;
  private static final int REQUEST_ERROR = 400;
  private static final int NOT_FOUND = 404;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  private final ApiRequests requests;
  private final ApiResource migrations;
  private final ApiResource definitions;
  private final String manager;
  private final EventRecorder events;

  /**
   * @param manager the controller's name, as field manager and as source of Events
   */
  HttpMigrationApi(KubernetesClient client, String manager, Clock clock) {
    this.requests = new ApiRequests(client);
    this.migrations = new ApiResource(requests, PREFIX, PLURAL);
    this.definitions =
        new ApiResource(requests, "/apis/apiextensions.k8s.io/v1", "customresourcedefinitions");
    this.manager = manager;
    this.events = new EventRecorder(client, manager, clock);
  }

  @Override
  public List<JsonObject> migrations() {
    var all = new ArrayList<JsonObject>();
    migrations.list("", all::add);
    return all;
  }

  /** Uses a list, because the controller's role does not include {@code get}. */
  @Override
  public Optional<JsonObject> migration(String name) {
    return one(PREFIX + "/" + PLURAL, name);
  }

  private Optional<JsonObject> one(String collection, String name) {
    var list = document(collection + "?fieldSelector=metadata.name%3D" + name);
    return list.array("items").objects().stream().findFirst();
  }

  @Override
  public JsonObject updateStatus(JsonObject migration) {
    return migrations.updateStatus(migration);
  }

  @Override
  public JsonObject annotate(JsonObject migration, String annotation, String text) {
    var value = text.isEmpty() ? JsonNull.NULL : Json.of(text);
    var patch = version(migration).with("annotations", JsonObject.of(annotation, value));
    return migrations.merge("", name(migration), JsonObject.of("metadata", patch), asManager());
  }

  /** Metadata that identifies one version of an object, as a precondition. */
  private static JsonObject version(JsonObject object) {
    var metadata = object.object("metadata");
    return JsonObject.of(
        "uid", metadata.string("uid"), "resourceVersion", metadata.string("resourceVersion"));
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }

  private String asManager() {
    return "?fieldManager=" + manager;
  }

  @Override
  public Optional<MigratedResource> find(String group, String plural) {
    for (var version : versions(group)) {
      var prefix = group.isEmpty() ? "/api/" : "/apis/" + group + "/";
      var document = document(prefix + version);
      for (var resource : document.array("resources").objects()) {
        if (resource.string("name").equals(plural)) {
          return Optional.of(
              new MigratedResource(
                  group,
                  version,
                  plural,
                  resource.isTrue("namespaced"),
                  Set.copyOf(resource.array("verbs").strings())));
        }
      }
    }
    return Optional.empty();
  }

  private Set<String> versions(String group) {
    if (group.isEmpty()) {
      return Set.of("v1");
    }
    var document = document("/apis/" + group);
    var versions = new LinkedHashSet<String>();
    var preferred = document.object("preferredVersion").string("version");
    if (!preferred.isEmpty()) {
      versions.add(preferred);
    }
    document.array("versions").objects().forEach(each -> versions.add(each.string("version")));
    return versions;
  }

  /** A discovery document; empty when it does not exist. */
  private JsonObject document(String path) {
    var answer = requests.send("GET", path, JSON);
    return answer.code() == NOT_FOUND ? JsonObject.EMPTY : JsonTrees.object(answer.orThrow());
  }

  /** A server without this report is not a Muster; the migration proceeds. */
  @Override
  public Optional<String> disagreement(MigratedResource resource) {
    if (document("/apis").get("consistent") instanceof JsonBool told && !told.value()) {
      return Optional.of("API servers do not all serve the same APIs");
    }
    var version =
        one(
            "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions",
            resource.storageVersionName());
    return StorageVersionEntries.disagreement(version.orElse(JsonObject.EMPTY));
  }

  @Override
  public Optional<JsonObject> definition(MigratedResource resource) {
    return resource.group().isEmpty()
        ? Optional.empty()
        : definitions.get("", resource.definitionName());
  }

  @Override
  public JsonObject changeDefinition(JsonObject definition, JsonObject status) {
    var patch = JsonObject.of("metadata", version(definition), "status", status);
    return definitions.merge("", name(definition) + "/status", patch, asManager());
  }

  @Override
  public Page page(MigratedResource resource, String token) {
    var path = resource.prefix() + "/" + resource.plural() + "?limit=" + PAGE;
    var answer = requests.send("GET", path + continued(token), ApiRequests.METADATA_LIST);
    if (answer.code() == GONE && !token.isEmpty()) {
      // The error contains a token to continue with among the current objects.
      var next = JsonTrees.object(answer.body()).object("metadata").string("continue");
      answer = requests.send("GET", path + continued(next), ApiRequests.METADATA_LIST);
    }
    var list = JsonTrees.object(answer.orThrow());
    var metadata = list.object("metadata");
    return new Page(
        list.array("items").objects(),
        metadata.string("resourceVersion"),
        metadata.string("continue"));
  }

  private static String continued(String token) {
    return token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
  }

  @Override
  public Rewrite rewrite(MigratedResource resource, JsonObject metadata) {
    var of = metadata.object("metadata");
    var collection = new ApiResource(requests, resource.prefix(), resource.plural());
    var path = collection.path(of.string("namespace")) + "/" + of.string("name") + asManager();
    var version = of.string("resourceVersion");
    var patch = Map.of("metadata", Map.of("uid", of.string("uid"), "resourceVersion", version));
    var answer = requests.send("PATCH", path, ApiRequests.METADATA, MERGE_PATCH, patch);
    return switch (answer.code()) {
      case NOT_FOUND, CONFLICT -> new Rewrite.Overtaken();
      default -> {
        if (isRefusal(answer.code())) {
          yield new Rewrite.Refused(told(answer));
        }
        var now = JsonTrees.object(answer.orThrow()).object("metadata").string("resourceVersion");
        yield now.equals(version) ? new Rewrite.Unchanged() : new Rewrite.Stored();
      }
    };
  }

  /** Whether a retry would fail in the same way. */
  private static boolean isRefusal(int code) {
    return code >= REQUEST_ERROR
        && code < SERVER_ERROR
        && code != REQUEST_TIMEOUT
        && code != TOO_MANY_REQUESTS;
  }

  private static String told(ApiRequests.Answer answer) {
    return answer.body().get("message") instanceof String message
        ? message
        : "the server answers " + answer.code();
  }

  @Override
  public void report(JsonObject migration, boolean warning, String reason, String message) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("storagemigration.k8s.io/v1beta1")
            .withKind("StorageVersionMigration")
            .withName(name(migration))
            .withUid(migration.object("metadata").string("uid"))
            .build();
    if (warning) {
      events.warn(about, reason, message);
    } else {
      events.report(about, reason, message);
    }
  }
}
