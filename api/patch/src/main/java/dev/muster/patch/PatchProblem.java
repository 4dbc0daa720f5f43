package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import org.jspecify.annotations.Nullable;

/** Explains why a JSON patch cannot be applied, with the messages of kube-apiserver's library. */
public final class PatchProblem {
  private static final String MISSING = ": missing value";

  private PatchProblem() {}

  /** The message for the first operation that fails. */
  public static String of(Json operations, Json document) {
    if (!(operations instanceof JsonArray list)) {
      return "invalid patch";
    }
    var current = document;
    for (var operation : list) {
      try {
        current = JsonPatch.parseUnchecked(JsonArray.of(operation)).apply(current);
      } catch (ApiException e) {
        return problem(operation instanceof JsonObject object ? object : JsonObject.EMPTY, current);
      }
    }
    return "the result of the patch is too large or too deep";
  }

  private static String problem(JsonObject operation, Json document) {
    var path = operation.string("path");
    var from = operation.string("from");
    var kind = operation.string("op");
    return switch (kind) {
      case "add", "remove", "replace" ->
          container(document, path) == null
              ? "%s operation does not apply: doc is missing path: %s"
                      .formatted(kind, shown(kind, path))
                  + MISSING
              : inside(kind, document, path);
      case "move", "copy" -> {
        if (container(document, from) == null) {
          yield "%s operation does not apply: doc is missing from path: %s".formatted(kind, from)
              + MISSING;
        }
        yield container(document, path) == null
            ? "%s operation does not apply: doc is missing destination path: %s"
                    .formatted(kind, path)
                + MISSING
            : inside(kind, document, kind.equals("move") ? last(from) : path);
      }
      case "test" ->
          path.isEmpty() || container(document, path) != null
              ? "testing value " + path + " failed: test failed"
              : "test operation does not apply: is missing path: " + path + MISSING;
      default -> "Unexpected kind: " + kind;
    };
  }

  /** Only some of the library's messages quote the path. */
  private static String shown(String kind, String path) {
    return kind.equals("replace") ? path : "\"" + path + "\"";
  }

  private static String inside(String kind, Json document, String path) {
    var key = last(path);
    var cause =
        container(document, path) instanceof JsonArray
            ? "Unable to access invalid index: " + key + ": invalid index referenced"
            : "Unable to remove nonexistent key: " + key + MISSING;
    return "error in %s for path: '%s': %s".formatted(kind, path, cause);
  }

  private static String last(String path) {
    return unescaped(path.substring(path.lastIndexOf('/') + 1));
  }

  /** The container at the end of a path, or null when a container on the path is missing. */
  private static @Nullable Json container(Json document, String path) {
    int slash = path.indexOf('/');
    Json current = slash < 0 ? null : document;
    while (current != null) {
      int next = path.indexOf('/', slash + 1);
      if (next < 0) {
        return current instanceof JsonObject || current instanceof JsonArray ? current : null;
      }
      current = child(current, unescaped(path.substring(slash + 1, next)));
      slash = next;
    }
    return null;
  }

  private static @Nullable Json child(Json container, String key) {
    if (container instanceof JsonObject object) {
      return object.get(key);
    }
    if (container instanceof JsonArray list && key.matches("[0-9]{1,9}")) {
      int index = Integer.parseInt(key);
      return index < list.size() ? list.get(index) : null;
    }
    return null;
  }

  private static String unescaped(String part) {
    return part.replace("~1", "/").replace("~0", "~");
  }
}
