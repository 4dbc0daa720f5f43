package dev.muster.registry.body;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import java.util.Set;

/** Checks the kind and version that the body of a delete declares. */
final class DeleteBodies {
  private static final String SCHEME =
      "in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"";

  /** The version of options that declare none. */
  private static final GroupVersion META = new GroupVersion("meta.k8s.io", "v1");

  private static final String KIND = "DeleteOptions";

  /** Kinds that exist in every version. */
  private static final Set<String> UNVERSIONED =
      Set.of(
          "Status",
          "APIVersions",
          "APIGroupList",
          "APIGroup",
          "APIResourceList",
          "CreateOptions",
          "UpdateOptions");

  /** Kinds that exist in the version of DeleteOptions. */
  private static final Set<String> VERSIONED =
      Set.of(
          "WatchEvent",
          "ListOptions",
          "GetOptions",
          "PatchOptions",
          "Table",
          "TableOptions",
          "PartialObjectMetadata",
          "PartialObjectMetadataList");

  private DeleteBodies() {}

  /**
   * Accepts DeleteOptions of any version and bodies without a kind.
   *
   * @throws ApiException BadRequest for any other kind
   */
  static void checkKind(Json body) {
    if (!(body instanceof JsonObject object)) {
      throw ApiException.badRequest(BodyErrors.notAnObject(body));
    }
    var apiVersion = text(object, "apiVersion");
    var kind = text(object, "kind");
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      throw ApiException.badRequest("unexpected GroupVersion string: " + apiVersion);
    }
    if (kind.isEmpty() || kind.equals(KIND)) {
      return;
    }
    var version = apiVersion.isEmpty() ? META : GroupVersion.parse(apiVersion);
    boolean known =
        UNVERSIONED.contains(kind) || (version.equals(META) && VERSIONED.contains(kind));
    throw ApiException.badRequest(
        known
            ? "converting (v1." + kind + ") to (v1.DeleteOptions): unknown conversion"
            : KindMismatch.notRegistered(version.kind(kind), SCHEME));
  }

  private static String text(JsonObject object, String field) {
    return switch (RequestDecoder.ofAnyCase(object, field)) {
      case null -> "";
      case JsonNull ignored -> "";
      case JsonString text -> text.value();
      case Json other -> throw ApiException.badRequest(BodyErrors.notAText(field, other));
    };
  }
}
