package dev.muster.registry.body;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.TypedReader;
import dev.muster.types.Types;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.util.Set;
import java.util.function.Supplier;

/** Builds upstream's error messages for bodies of another kind than the request expects. */
record KindMismatch(Supplier<Types> types) {
  private static final String SCHEME = "in scheme \"pkg/api/legacyscheme/scheme.go:30\"";

  /** Meta kinds that upstream registers in every version, even unknown ones. */
  private static final Set<String> UNVERSIONED =
      Set.of("Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList");

  /** Meta kinds that upstream registers in every served version. */
  private static final Set<String> EVERYWHERE =
      Set.of(
          "WatchEvent",
          "ListOptions",
          "GetOptions",
          "DeleteOptions",
          "CreateOptions",
          "UpdateOptions",
          "PatchOptions");

  /** The version of upstream's internal types. */
  static final String INTERNAL = "__internal";

  /** Whether one kind is another version of the other, so that the same object can be converted. */
  boolean isOtherVersion(GroupVersionKind given, GroupVersionKind expected) {
    return LegacyVersions.isOf(given, expected)
        || (given.groupKind().equals(expected.groupKind()) && isKnown(given));
  }

  /**
   * Decodes a document as the kind that it declares.
   *
   * @throws DecodeException when it is invalid even for that kind
   */
  static void read(GroupVersionKind given, Json value) {
    var shape = Schemas.of(isGeneral(given) ? new GroupVersionKind("", "v1", given.kind()) : given);
    if (shape != null && value instanceof JsonObject) {
      TypedReader.read(shape, new Document(value));
    }
  }

  /** Why a document of the one kind cannot be read as the other. */
  String why(GroupVersionKind given, GroupVersionKind expected, Json value) {
    if (!isKnown(given)) {
      return notRegistered(given, SCHEME);
    }
    try {
      read(given, value);
    } catch (DecodeException e) {
      return e.text();
    }
    return "converting ("
        + name(given)
        + ") to ("
        + InternalTypes.name(expected)
        + "): unknown conversion";
  }

  private static boolean isGeneral(GroupVersionKind kind) {
    return UNVERSIONED.contains(kind.kind()) || EVERYWHERE.contains(kind.kind());
  }

  private static String name(GroupVersionKind given) {
    if (isGeneral(given)) {
      return "v1." + given.kind();
    }
    return given.version().equals(INTERNAL)
        ? InternalTypes.name(given)
        : given.version() + "." + given.kind();
  }

  private boolean isKnown(GroupVersionKind kind) {
    if (UNVERSIONED.contains(kind.kind())) {
      return true;
    }
    if (kind.group().equals("meta.k8s.io")) {
      return false;
    }
    if (EVERYWHERE.contains(kind.kind())) {
      return types.get().version(kind.groupVersion()) != null;
    }
    if (kind.version().equals(INTERNAL)) {
      var item = item(kind).groupKind();
      return types.get().group(item.group()).stream()
          .flatMap(version -> version.types().stream())
          .anyMatch(type -> type.groupKind().equals(item));
    }
    return Schemas.of(kind) != null
        || kind.equals(new GroupVersionKind("", "v1", "List"))
        || LegacyVersions.has(kind)
        || types.get().ofKind(item(kind)) != null;
  }

  /** The item kind of a list kind; any other kind unchanged. */
  private static GroupVersionKind item(GroupVersionKind kind) {
    return kind.kind().endsWith("List")
        ? kind.groupVersion().kind(kind.kind().substring(0, kind.kind().length() - 4))
        : kind;
  }

  static String notRegistered(GroupVersionKind kind, String scheme) {
    return "no kind \""
        + kind.kind()
        + "\" is registered for "
        + (kind.version().equals(INTERNAL)
            ? "the internal version of group \"" + kind.group() + "\" "
            : "version \"" + kind.apiVersion() + "\" ")
        + scheme;
  }

  /**
   * The kind that a patched document declares. A missing version means the internal one.
   *
   * @throws DecodeException when the document has no readable kind
   */
  static GroupVersionKind ofPatched(JsonObject patched, GroupVersionKind expected) {
    var apiVersion = text(patched, "apiVersion");
    var kind = text(patched, "kind");
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      throw new DecodeException("unexpected GroupVersion string: " + apiVersion);
    }
    var version =
        apiVersion.isEmpty()
            ? new GroupVersion(expected.group(), INTERNAL)
            : GroupVersion.parse(apiVersion);
    return version.kind(kind.isEmpty() ? expected.kind() : kind);
  }

  private static String text(JsonObject object, String field) {
    var exact = object.get(field);
    return switch (exact == null ? RequestDecoder.ofAnyCase(object, field) : exact) {
      case null -> "";
      case JsonNull ignored -> "";
      case JsonString text -> text.value();
      case Json other -> throw new DecodeException(BodyErrors.notAText(field, other));
    };
  }
}
