package dev.muster.registry.body;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.schema.read.TypedReader;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.WriteOptions;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Encoding;
import dev.muster.wire.NegotiatedMediaType;
import dev.muster.wire.SupportedMediaTypes;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decodes request bodies to objects, with upstream's error messages for invalid ones. */
public final class RequestDecoder {
  private static final String YAML_COMPLAINTS = "yaml: unmarshal errors:";
  private static final String APPLY_YAML = "application/apply-patch+yaml";
  private static final String APPLY_CBOR = "application/apply-patch+cbor";
  private static final Set<String> ENVELOPE = Set.of("apiVersion", "kind", "metadata");

  private final KindMismatch foreign;
  private final Decoders decoders;
  private final SupportedMediaTypes supportedMediaTypes;

  /**
   * @param types the types of the newest snapshot
   * @param supportedMediaTypes the accepted encodings
   */
  public RequestDecoder(
      Supplier<Types> types, Decoders decoders, SupportedMediaTypes supportedMediaTypes) {
    this.foreign = new KindMismatch(types);
    this.decoders = decoders;
    this.supportedMediaTypes = supportedMediaTypes;
  }

  public KindMismatch foreign() {
    return foreign;
  }

  /** An undecoded body. */
  public record Encoded(String contentType, byte[] bytes) {}

  /**
   * Checks the content type only.
   *
   * @throws ApiException UnsupportedMediaType when the type is not accepted
   */
  public void checkType(Encoded body) {
    NegotiatedMediaType.ofBody(supportedMediaTypes, body.contentType());
  }

  /** Decodes an object of the request's type to its stored version, with defaults. */
  public JsonObject object(
      ResourceRequest resourceRequest, Encoded body, WriteOptions.Strictness strictness) {
    var type = resourceRequest.type();
    if (type.isCustom()
        && NegotiatedMediaType.ofBody(supportedMediaTypes, body.contentType())
            == Encoding.PROTOBUF) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE,
          "the body of the request was in an unknown format - accepted media types include: "
              + supportedMediaTypes.without(Encoding.PROTOBUF).types());
    }
    var object =
        type.isCustom()
            ? custom(type, body, strictness, resourceRequest.warnings())
            : read(
                type.kind(), Set.of(), type.form(), body, strictness, resourceRequest.warnings());
    try {
      return type.strategy().defaults(type.toStored(object));
    } catch (DecodeException e) {
      throw BodyErrors.unhandled(type.kind(), type.kind(), e.text());
    }
  }

  /** Decodes an object of a kind in its own version, such as the body of a subresource. */
  public JsonObject read(
      GroupVersionKind kind,
      StructShape shape,
      Encoded body,
      WriteOptions.Strictness strictness,
      Consumer<String> warnings) {
    return read(kind, Set.of(), ObjectForm.of(shape), body, strictness, warnings);
  }

  /**
   * Decodes an object of a kind, or of a kind with the same content under another name.
   *
   * @param alike kinds that are decoded as if they were {@code kind}
   */
  public JsonObject read(
      GroupVersionKind kind,
      Set<GroupVersionKind> alike,
      ObjectForm form,
      Encoded body,
      WriteOptions.Strictness strictness,
      Consumer<String> warnings) {
    var document = document(kind, body);
    var given = kind(document.value(), kind, body.bytes());
    if (!given.equals(kind) && !alike.contains(given)) {
      throw otherKind(given, kind, document.value());
    }
    var value = document.value() instanceof JsonNull ? JsonObject.EMPTY : document.value();
    try {
      var typed =
          form.read(new Document(value, document.complaints(), document.duplicates()), null);
      complain(kind, typed.complaints(), strictness, warnings);
      return typed.object().with("kind", kind.kind()).with("apiVersion", kind.apiVersion());
    } catch (DecodeException e) {
      throw BodyErrors.unhandled(given, kind, e.text());
    }
  }

  private Document document(GroupVersionKind kind, Encoded body) {
    var encoding = NegotiatedMediaType.ofBody(supportedMediaTypes, body.contentType());
    try {
      return decoders.decode(encoding, body.bytes());
    } catch (DecodeException e) {
      throw BodyErrors.unrecognized(kind, parseError(encoding, e), body.bytes());
    }
  }

  /**
   * Decodes a custom object with the requested type whatever kind it declares; a later check
   * compares the kinds.
   */
  private JsonObject custom(
      ServedType type,
      Encoded body,
      WriteOptions.Strictness strictness,
      Consumer<String> warnings) {
    var kind = type.kind();
    var document = document(kind, body);
    var given = kind(document.value(), kind, body.bytes());
    var value = document.value() instanceof JsonNull ? JsonObject.EMPTY : document.value();
    if (value instanceof JsonObject sent) {
      if (sent.string("kind").isEmpty()) {
        throw BodyErrors.unrecognized(kind, BodyErrors.missing("kind", body.bytes()), body.bytes());
      }
      if (sent.string("apiVersion").isEmpty()) {
        throw BodyErrors.otherVersion("", kind);
      }
    }
    try {
      var read = new Document(value, document.complaints(), document.duplicates());
      if (!given.groupVersion().equals(kind.groupVersion())) {
        complain(kind, ofOtherVersion(type, given, read), strictness, warnings);
        throw BodyErrors.otherVersion(given.apiVersion(), kind);
      }
      var typed = type.form().read(read, null);
      complain(kind, typed.complaints(), strictness, warnings);
      return typed.object();
    } catch (DecodeException e) {
      throw BodyErrors.unhandled(given, kind, e.text());
    }
  }

  /**
   * The unknown fields of an object of another version; none when the definition lacks that
   * version.
   */
  private static List<String> ofOtherVersion(
      ServedType type, GroupVersionKind given, Document document) {
    var other = type.inVersion(given.groupVersion());
    if (other != null) {
      return other.form().read(document, null).complaints();
    }
    return given.group().equals(type.kind().group()) && document.value() instanceof JsonObject sent
        ? sent.keys().stream()
            .filter(key -> !ENVELOPE.contains(key))
            .sorted()
            .map(key -> "unknown field " + GoText.quote(key))
            .toList()
        : List.of();
  }

  /** The encoding of a server-side apply with that content type; null for other types. */
  public @Nullable Encoding ofApply(String contentType) {
    return switch (contentType) {
      case APPLY_YAML -> Encoding.YAML;
      case APPLY_CBOR ->
          supportedMediaTypes.encodings().contains(Encoding.CBOR) ? Encoding.CBOR : null;
      default -> null;
    };
  }

  /** The content types of server-side apply, for error messages. */
  public String applyTypes() {
    return ofApply(APPLY_CBOR) == null ? APPLY_YAML : APPLY_YAML + ", " + APPLY_CBOR;
  }

  /** Decodes the configuration of a server-side apply, without defaults. */
  public AppliedBody applied(Encoding encoding, byte[] bytes) {
    var document = decodedApply(encoding, bytes);
    var value = document.value() instanceof JsonNull ? JsonObject.EMPTY : document.value();
    if (!(value instanceof JsonObject object)) {
      throw ApiException.badRequest(
          (encoding == Encoding.CBOR
                  ? "error decoding CBOR: "
                  : "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: ")
              + "cannot unmarshal "
              + GoText.kind(value)
              + " into Go value of type map[string]interface {}");
    }
    return new AppliedBody(object, document.complaints());
  }

  private Document decodedApply(Encoding encoding, byte[] bytes) {
    try {
      return decoders.decode(encoding, bytes);
    } catch (DecodeException e) {
      throw ApiException.badRequest(
          (encoding == Encoding.CBOR
                  ? "error decoding CBOR: "
                  : "error decoding YAML: error converting YAML to JSON: ")
              + e.text());
    }
  }

  /** Handles complaints under field validation Warn or Strict. */
  private static void complain(
      GroupVersionKind kind,
      List<String> complaints,
      WriteOptions.Strictness strictness,
      Consumer<String> warnings) {
    if (complaints.isEmpty()) {
      return;
    }
    switch (strictness) {
      case IGNORE -> {}
      case WARN -> complaints.forEach(complaint -> warn(complaint, warnings));
      case STRICT ->
          throw BodyErrors.unhandled(
              kind, kind, "strict decoding error: " + String.join(", ", complaints));
    }
  }

  /** YAML complaints may hold several lines; each line becomes one warning. */
  static void warn(String complaint, Consumer<String> warnings) {
    if (complaint.startsWith(YAML_COMPLAINTS)) {
      complaint
          .substring(YAML_COMPLAINTS.length())
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .forEach(warnings);
    } else {
      warnings.accept(complaint);
    }
  }

  /** The options in the body of a delete, or null when there is no body. */
  public @Nullable JsonObject deleteOptions(Encoded body) {
    if (body.bytes().length == 0) {
      return null;
    }
    var encoding = NegotiatedMediaType.ofBody(supportedMediaTypes, body.contentType());
    Document document;
    try {
      document = decoders.decode(encoding, body.bytes());
    } catch (DecodeException e) {
      throw ApiException.badRequest(parseError(encoding, e));
    }
    var value = document.value() instanceof JsonNull ? JsonObject.EMPTY : document.value();
    DeleteBodies.checkKind(value);
    try {
      return TypedReader.read(
              Schemas.struct(Schemas.META + "DeleteOptions"),
              new Document(value, document.complaints(), document.duplicates()))
          .object();
    } catch (DecodeException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  private static String parseError(Encoding encoding, DecodeException error) {
    return encoding == Encoding.JSON
        ? "couldn't get version/kind; json parse error: " + error.text()
        : error.text();
  }

  /** The kind that a body declares, completed from the expected kind. */
  private static GroupVersionKind kind(Json value, GroupVersionKind expected, byte[] bytes) {
    if (value instanceof JsonNull) {
      return expected;
    }
    if (!(value instanceof JsonObject object)) {
      throw BodyErrors.unrecognized(expected, BodyErrors.notAnObject(value), bytes);
    }
    var apiVersion = text(object, "apiVersion", expected, bytes);
    var kind = text(object, "kind", expected, bytes);
    if (apiVersion.chars().filter(c -> c == '/').count() > 1) {
      throw BodyErrors.unrecognized(
          expected, "unexpected GroupVersion string: " + apiVersion, bytes);
    }
    var version = apiVersion.isEmpty() ? expected.groupVersion() : GroupVersion.parse(apiVersion);
    return version.kind(kind.isEmpty() ? expected.kind() : kind);
  }

  private static String text(
      JsonObject object, String field, GroupVersionKind expected, byte[] bytes) {
    return switch (ofAnyCase(object, field)) {
      case null -> "";
      case JsonNull ignored -> "";
      case JsonString text -> text.value();
      case Json other ->
          throw BodyErrors.unrecognized(expected, BodyErrors.notAText(field, other), bytes);
    };
  }

  /** The last member of that name, compared without regard to case as in upstream. */
  static @Nullable Json ofAnyCase(JsonObject object, String field) {
    for (int i = object.size() - 1; i >= 0; i--) {
      if (object.key(i).equalsIgnoreCase(field)) {
        return object.value(i);
      }
    }
    return null;
  }

  private ApiException otherKind(GroupVersionKind given, GroupVersionKind expected, Json value) {
    if (!foreign.isOtherVersion(given, expected)) {
      return BodyErrors.unhandled(given, expected, foreign.why(given, expected, value));
    }
    try {
      KindMismatch.read(given, value);
    } catch (DecodeException e) {
      return BodyErrors.unhandled(given, expected, e.text());
    }
    return BodyErrors.otherVersion(given.apiVersion(), expected);
  }
}
