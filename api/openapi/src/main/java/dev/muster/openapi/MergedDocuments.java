package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.openapi.OpenApi.Rendered;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Safe for any thread. The own documents together with what other servers publish. */
final class MergedDocuments {
  private final OpenApi own;
  private volatile RenderedSpecs kept =
      new RenderedSpecs(RemoteSpecs.NONE, new ConcurrentHashMap<>());

  /** What was made while other servers published that. */
  private record RenderedSpecs(RemoteSpecs remote, Map<String, Rendered> rendered) {}

  MergedDocuments(OpenApi own) {
    this.own = own;
  }

  Rendered v2(RemoteSpecs remote) {
    return OpenApi.once(with(remote), "v2", () -> List.of(JsonWriter.bytes(swagger(remote))));
  }

  Rendered v2Protobuf(RemoteSpecs remote) {
    return OpenApi.once(
        with(remote), "v2.pb", () -> List.of(OpenApiProtobuf.document(swagger(remote))));
  }

  Rendered index(RemoteSpecs remote) {
    return OpenApi.once(with(remote), "v3", () -> List.of(JsonWriter.bytes(addresses(remote))));
  }

  private JsonObject swagger(RemoteSpecs remote) {
    return SwaggerMerge.of((JsonObject) JsonReader.read(own.v2().bytes()), remote.swaggers());
  }

  private JsonObject addresses(RemoteSpecs remote) {
    var all = new TreeMap<String, Json>();
    var local = ((JsonObject) JsonReader.read(own.index().bytes())).object("paths");
    for (int i = 0; i < local.size(); i++) {
      all.put(local.key(i), local.value(i));
    }
    remote
        .addresses()
        .forEach((path, address) -> all.put(path, JsonObject.of("serverRelativeURL", address)));
    var paths = JsonObject.builder();
    all.forEach(paths::put);
    return JsonObject.of("paths", paths.build());
  }

  private Map<String, Rendered> with(RemoteSpecs remote) {
    var last = kept;
    if (last.remote() != remote) {
      last = new RenderedSpecs(remote, new ConcurrentHashMap<>());
      kept = last;
    }
    return last.rendered();
  }
}
