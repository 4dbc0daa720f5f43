package dev.muster.patch;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;

/**
 * A JSON patch (RFC 6902) with kube-apiserver's deviations: {@code replace} adds a missing key,
 * {@code test} for null succeeds on a missing key, a missing value is null, negative indexes count
 * from the end, and the text before a path's first slash is ignored. Applying it takes time
 * proportional to the sizes of the document and the patch.
 */
public final class JsonPatch {
  private static final int MOST_OPERATIONS = 10_000;

  private final List<PatchOperation> operations;

  private JsonPatch(List<PatchOperation> operations) {
    this.operations = List.copyOf(operations);
  }

  /** Whether operations have a field of that name. */
  public static boolean isField(String key) {
    return switch (key) {
      case "op", "path", "from", "value" -> true;
      default -> false;
    };
  }

  /**
   * Parses a patch. Invalid operations are detected only when they are applied.
   *
   * @throws ApiException BadRequest when it is no list of operations, RequestEntityTooLarge when it
   *     has too many operations
   */
  public static JsonPatch parse(Json patch) {
    return parse(patch, true);
  }

  /**
   * Parses a patch without field validation: an element of the wrong type counts as no operation.
   */
  public static JsonPatch parseUnchecked(Json patch) {
    return parse(patch, false);
  }

  private static JsonPatch parse(Json patch, boolean checked) {
    if (patch == JsonNull.NULL) {
      return new JsonPatch(List.of());
    }
    if (!(patch instanceof JsonArray items)) {
      throw checked
          ? undecodable(patch, "Go value of type []handlers.jsonPatchOp")
          : unreadable(patch, "Patch");
    }
    var operations = new ArrayList<PatchOperation>(Math.min(items.size(), MOST_OPERATIONS));
    for (int i = 0; i < items.size(); i++) {
      var operation = checked ? operation(items.get(i)) : uncheckedOperation(items.get(i));
      if (i < MOST_OPERATIONS) {
        operations.add(operation);
      }
    }
    if (items.size() > MOST_OPERATIONS) {
      throw new ApiException(
          Reason.REQUEST_ENTITY_TOO_LARGE,
          "Request entity too large: The allowed maximum operations in a JSON patch is "
              + MOST_OPERATIONS
              + ", got "
              + items.size());
    }
    return new JsonPatch(operations);
  }

  private static PatchOperation operation(Json item) {
    if (item == JsonNull.NULL) {
      return PatchOperation.EMPTY;
    }
    if (!(item instanceof JsonObject object)) {
      throw undecodable(item, "Go value of type handlers.jsonPatchOp");
    }
    for (int i = 0; i < object.size(); i++) {
      var key = object.key(i);
      var value = object.value(i);
      boolean fits = value instanceof JsonString || value == JsonNull.NULL || key.equals("value");
      if (!fits && isField(key)) {
        throw undecodable(value, "Go struct field jsonPatchOp." + key + " of type string");
      }
    }
    return PatchOperation.of(object);
  }

  private static PatchOperation uncheckedOperation(Json item) {
    if (item == JsonNull.NULL) {
      return PatchOperation.EMPTY;
    }
    if (item instanceof JsonObject object) {
      return PatchOperation.of(object);
    }
    throw unreadable(item, "Operation");
  }

  private static ApiException unreadable(Json value, String type) {
    return ApiException.badRequest(
        "json: cannot unmarshal "
            + GoText.kind(value)
            + " into Go value of type jsonpatch."
            + type);
  }

  private static ApiException undecodable(Json value, String target) {
    return ApiException.badRequest(
        "error decoding patch: json: cannot unmarshal " + GoText.kind(value) + " into " + target);
  }

  /**
   * The document after all operations.
   *
   * @throws ApiException Invalid when an operation fails. As in kube-apiserver, the error does not
   *     tell which one
   */
  public Json apply(Json document) {
    return operations.isEmpty() ? document : perform(new PatchDraft(document, false));
  }

  /**
   * The patched document in kube-apiserver's print order: objects that an operation opened have
   * sorted members, all others keep their order.
   */
  public Json applyInPrintedOrder(Json document) {
    return operations.isEmpty() ? document : perform(new PatchDraft(document, true));
  }

  /** The result of a patch. */
  public sealed interface Result {
    /** All operations succeeded. */
    record Applied(Json document) implements Result {}

    /**
     * This operation failed, so none is applied.
     *
     * @param document the document before the failed operation
     */
    record Failed(String operation, String path, Json document) implements Result {}
  }

  /** The document after all operations, or the operation that failed. */
  public Result tryApply(Json document) {
    if (operations.isEmpty()) {
      return new Result.Applied(document);
    }
    var draft = new PatchDraft(document, false);
    for (var operation : operations) {
      if (!draft.perform(operation)) {
        var path = operation.path();
        var found = draft.freeze();
        return new Result.Failed(
            operation.kind(), path == null ? "" : path, found == null ? JsonNull.NULL : found);
      }
    }
    var result = draft.freeze();
    return result == null
        ? new Result.Failed("remove", "", JsonNull.NULL)
        : new Result.Applied(result);
  }

  private Json perform(PatchDraft draft) {
    for (var operation : operations) {
      if (!draft.perform(operation)) {
        throw refused();
      }
    }
    var result = draft.freeze();
    if (result == null) {
      throw refused();
    }
    return result;
  }

  /** The error response for a patch that cannot be applied; its details are present but empty. */
  static ApiException refused() {
    return new ApiException(
        Reason.INVALID,
        "the server rejected our request due to an error in our request",
        StatusDetails.EMPTY);
  }
}
