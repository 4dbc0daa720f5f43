package dev.muster.cli;

import dev.muster.cli.command.CommandFailure;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/**
 * Rewrites every object of a resource with an empty patch. The patch has no resourceVersion, so it
 * never reverts a concurrent write. Not thread-safe; used once.
 */
final class ObjectRewriting {
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final Set<Integer> AGAIN = Set.of(409, 429, 500, 503, 504);
  private static final int ATTEMPTS = 5;
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final KubernetesClient client;
  private final String name;
  private final int chunk;
  private final PrintStream out;
  private long seen;
  private long written;
  private long failed;

  /**
   * @param name such as {@code secrets} or {@code widgets.example.com}
   */
  ObjectRewriting(KubernetesClient client, String name, int chunk, PrintStream out) {
    this.client = client;
    this.name = name;
    this.chunk = chunk;
    this.out = out;
  }

  /**
   * Rewrites all objects and prints the progress; returns whether all succeeded.
   *
   * @throws CommandFailure when the server does not serve the resource
   */
  boolean run() throws InterruptedException {
    int dot = name.indexOf('.');
    var group = dot < 0 ? "" : name.substring(dot + 1);
    var plural = dot < 0 ? name : name.substring(0, dot);
    var version = version(group);
    var base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    var found =
        get(base).array("resources").objects().stream()
            .filter(resource -> resource.string("name").equals(plural))
            .findFirst()
            .orElseThrow(() -> new CommandFailure("the server has no resource \"" + name + "\""));
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion(version)
            .withPlural(plural)
            .withKind(found.string("kind"))
            .withNamespaced(found.isTrue("namespaced"))
            .build();
    var position = "";
    do {
      position = chunk(base + "/" + plural, position, context);
    } while (!position.isEmpty());
    out.printf("%s: %d objects, %d written again, %d failed%n", name, seen, written, failed);
    return failed == 0;
  }

  private String version(String group) {
    if (group.isEmpty()) {
      return "v1";
    }
    try {
      return get("/apis/" + group).object("preferredVersion").string("version");
    } catch (KubernetesClientException e) {
      if (e.getCode() == NOT_FOUND) {
        throw new CommandFailure("the server has no resource \"" + name + "\"", e);
      }
      throw e;
    }
  }

  private JsonObject get(String path) {
    var body = client.raw(path);
    return body != null
            && JsonReader.read(body.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
  }

  /** Returns the token of the next chunk; "" at the end. */
  private String chunk(String path, String position, ResourceDefinitionContext context)
      throws InterruptedException {
    JsonObject list;
    try {
      var from = URLEncoder.encode(position, StandardCharsets.UTF_8);
      list = get(path + "?limit=" + chunk + (position.isEmpty() ? "" : "&continue=" + from));
    } catch (KubernetesClientException e) {
      if (e.getCode() != GONE || position.isEmpty()) {
        throw e;
      }
      // Objects that are already rewritten stay unchanged the second time.
      out.println(name + ": the list is too old by now, from its beginning again");
      seen = 0;
      list = get(path + "?limit=" + chunk);
    }
    for (var item : list.array("items").objects()) {
      rewrite(item.object("metadata"), context);
    }
    var metadata = list.object("metadata");
    var next = metadata.string("continue");
    if (!next.isEmpty()) {
      out.printf("%s: %d of %d%n", name, seen, seen + metadata.integer("remainingItemCount", 0));
    }
    return next;
  }

  private void rewrite(JsonObject metadata, ResourceDefinitionContext context)
      throws InterruptedException {
    seen++;
    for (int attempt = 1; ; attempt++) {
      try {
        var after = resource(metadata, context).patch(MERGE, "{}").getMetadata();
        boolean again = !metadata.string("resourceVersion").equals(after.getResourceVersion());
        written += again ? 1 : 0;
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() == NOT_FOUND) {
          return;
        }
        if (!AGAIN.contains(e.getCode()) || attempt == ATTEMPTS) {
          failed++;
          var line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
          out.printf("%s %s/%s: %s%n", name, space(metadata), metadata.string("name"), line);
          return;
        }
        Thread.sleep(Duration.ofMillis(100L << attempt));
      }
    }
  }

  private static String space(JsonObject metadata) {
    return metadata.string("namespace");
  }

  private Resource<GenericKubernetesResource> resource(
      JsonObject metadata, ResourceDefinitionContext context) {
    var resources = client.genericKubernetesResources(context);
    var namespace = space(metadata);
    return namespace.isEmpty()
        ? resources.withName(metadata.string("name"))
        : resources.inNamespace(namespace).withName(metadata.string("name"));
  }
}
