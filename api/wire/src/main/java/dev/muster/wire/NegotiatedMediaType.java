package dev.muster.wire;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The media type of a response that the client's {@code Accept} header selects.
 *
 * @param target the object itself, or a representation made from it
 * @param targetVersion the version of the target's kind, such as {@code v1}
 */
public record NegotiatedMediaType(
    Encoding encoding, Target target, String targetVersion, boolean pretty) {

  /** The representation of the objects. */
  public enum Target {
    OBJECT,
    TABLE,
    PARTIAL_METADATA,
    PARTIAL_METADATA_LIST
  }

  public static final NegotiatedMediaType JSON =
      new NegotiatedMediaType(Encoding.JSON, Target.OBJECT, "", false);

  private static final String META = "meta.k8s.io";
  private static final String WATCH = "watch";

  /**
   * Selects by the {@code Accept} header; an empty header means JSON.
   *
   * @param streams whether the resource can be watched on this path, which allows more media types
   */
  public static NegotiatedMediaType of(String accept, boolean streams) {
    return of(SupportedMediaTypes.STANDARD, accept, streams);
  }

  /** Selects among the supported media types. */
  public static NegotiatedMediaType of(
      SupportedMediaTypes supportedMediaTypes, String accept, boolean streams) {
    return of(supportedMediaTypes, accept, streams, true);
  }

  /**
   * Selects among the supported media types.
   *
   * @param tables whether the response is available as a Table
   */
  public static NegotiatedMediaType of(
      SupportedMediaTypes supportedMediaTypes, String accept, boolean streams, boolean tables) {
    return of(supportedMediaTypes, accept, streams, tables, false);
  }

  /**
   * Selects among the supported media types.
   *
   * @param custom whether the resource is a custom resource. Upstream's router then ignores the
   *     header, and protobuf is available only for representations made from the object.
   */
  public static NegotiatedMediaType of(
      SupportedMediaTypes supportedMediaTypes,
      String accept,
      boolean streams,
      boolean tables,
      boolean custom) {
    if (accept.isEmpty() || accept.equals("*/*") || accept.equals("application/json")) {
      return JSON;
    }
    var clauses = MediaType.parseAccept(accept);
    if (!custom
        && clauses.stream().noneMatch(clause -> supportedMediaTypes.isRouted(clause, streams))) {
      throw notRouted(
          supportedMediaTypes.types() + (streams ? ", " + supportedMediaTypes.streamTypes() : ""));
    }
    var chosen = choose(supportedMediaTypes, clauses, tables, !custom);
    if (chosen == null) {
      throw notAcceptable(supportedMediaTypes.types());
    }
    return chosen;
  }

  /**
   * Selects the encoding of a document without other representations, such as discovery.
   *
   * @param routed whether upstream's router checks the header before the document's handler does
   */
  public static Encoding ofDocument(String accept, boolean routed) {
    if (accept.isEmpty() || accept.equals("*/*") || accept.equals("application/json")) {
      return Encoding.JSON;
    }
    var clauses = MediaType.parseAccept(accept);
    if (routed
        && clauses.stream()
            .noneMatch(clause -> SupportedMediaTypes.STANDARD.isRouted(clause, false))) {
      throw notRouted(SupportedMediaTypes.STANDARD.types());
    }
    var plain = clauses.stream().filter(clause -> clause.parameter("sv").isEmpty()).toList();
    for (var clause : plain) {
      var chosen = choose(SupportedMediaTypes.STANDARD, List.of(clause), false);
      if (chosen != null && chosen.target() == Target.OBJECT) {
        return chosen.encoding();
      }
    }
    throw notAcceptable(SupportedMediaTypes.STANDARD.types());
  }

  /**
   * The encoding of aggregated discovery when a clause of the header requests it, or null.
   *
   * @param kind the parameters of such a clause
   */
  public static @Nullable Encoding ofKind(String accept, Map<String, String> kind) {
    for (var clause : MediaType.parseAccept(accept)) {
      if (clause.parameters().entrySet().containsAll(kind.entrySet())) {
        var plain = new MediaType(clause.name(), Map.of(), clause.quality());
        var chosen = choose(SupportedMediaTypes.STANDARD, List.of(plain), false);
        if (chosen != null) {
          return chosen.encoding();
        }
      }
    }
    return null;
  }

  /**
   * Checks that the header accepts the only type of a document.
   *
   * @throws ApiException when it does not
   */
  public static void requireRouted(String accept, String type) {
    if (!accept.isEmpty()
        && MediaType.parseAccept(accept).stream()
            .noneMatch(clause -> clause.name().equals("*/*") || clause.name().equals(type))) {
      throw notRouted(type);
    }
  }

  /**
   * Checks that the header accepts a log, which is negotiated like an object but sent as plain
   * text.
   *
   * @throws ApiException when it does not
   */
  public static void requireLog(String accept) {
    if (accept.isEmpty() || accept.equals("*/*") || accept.equals("application/json")) {
      return;
    }
    var types = SupportedMediaTypes.STANDARD.types();
    var clauses = MediaType.parseAccept(accept);
    if (clauses.stream()
        .noneMatch(
            clause ->
                clause.name().equals("text/plain")
                    || SupportedMediaTypes.STANDARD.isRouted(clause, false))) {
      throw notRouted("text/plain, " + types);
    }
    if (choose(SupportedMediaTypes.STANDARD, clauses, false) == null) {
      throw notAcceptable(types);
    }
  }

  /** The error of upstream's router, which refuses before any handler sees the request. */
  private static ApiException notRouted(String types) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "406: Not Acceptable\n\nAvailable representations: " + types,
        StatusDetails.EMPTY);
  }

  /**
   * Selects the encoding of an error. Only clauses that request no other representation count; the
   * default is indented JSON.
   */
  public static NegotiatedMediaType ofError(
      SupportedMediaTypes supportedMediaTypes, String accept) {
    var plain =
        MediaType.parseAccept(accept).stream()
            .filter(clause -> clause.parameter("as").isEmpty())
            .toList();
    var chosen = choose(supportedMediaTypes, plain, false);
    return chosen == null
        ? new NegotiatedMediaType(Encoding.JSON, Target.OBJECT, "", true)
        : chosen;
  }

  /** Selects the encoding of a watch, which cannot be YAML. */
  public static NegotiatedMediaType ofWatch(String accept) {
    return ofWatch(SupportedMediaTypes.STANDARD, accept);
  }

  /** Selects the encoding of a watch among the supported media types. */
  public static NegotiatedMediaType ofWatch(
      SupportedMediaTypes supportedMediaTypes, String accept) {
    return ofWatch(supportedMediaTypes, accept, false);
  }

  /** Selects the encoding of a watch among the supported media types; see {@link #of}. */
  public static NegotiatedMediaType ofWatch(
      SupportedMediaTypes supportedMediaTypes, String accept, boolean custom) {
    var chosen = of(supportedMediaTypes, accept, true, true, custom);
    if (chosen.encoding() == Encoding.YAML) {
      throw notAcceptable(supportedMediaTypes.streamTypes());
    }
    return chosen;
  }

  private static ApiException notAcceptable(String offer) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE, "only the following media types are accepted: " + offer);
  }

  private static @Nullable NegotiatedMediaType choose(
      SupportedMediaTypes supportedMediaTypes, List<MediaType> clauses, boolean tables) {
    return choose(supportedMediaTypes, clauses, tables, true);
  }

  private static @Nullable NegotiatedMediaType choose(
      SupportedMediaTypes supportedMediaTypes,
      List<MediaType> clauses,
      boolean tables,
      boolean protobuf) {
    for (var clause : clauses) {
      for (var encoding : supportedMediaTypes.encodings()) {
        boolean matches =
            clause.name().equals(encoding.mediaType())
                || clause.name().equals(encoding.streamType())
                || clause.name().equals("application/*")
                || clause.name().equals("*/*")
                || clause.name().equals("*");
        var target = matches && streams(clause, encoding) ? target(clause, encoding) : null;
        boolean offered =
            switch (target) {
              case null -> false;
              case TABLE -> tables;
              case OBJECT -> protobuf || encoding != Encoding.PROTOBUF;
              case PARTIAL_METADATA, PARTIAL_METADATA_LIST -> true;
            };
        if (target != null && offered) {
          return new NegotiatedMediaType(
              encoding, target, clause.parameter("v"), clause.parameter("pretty").equals("1"));
        }
      }
    }
    return null;
  }

  /** Whether the encoding supports the clause's stream and version parameters. */
  private static boolean streams(MediaType clause, Encoding encoding) {
    var stream = clause.parameter("stream");
    var version = clause.parameter("sv");
    if (!version.isEmpty() && !version.equals("v1")) {
      return false;
    }
    return stream.isEmpty() || (stream.equals(WATCH) && encoding != Encoding.YAML);
  }

  private static @Nullable Target target(MediaType clause, Encoding encoding) {
    var as = clause.parameter("as");
    var group = clause.parameter("g");
    var version = clause.parameter("v");
    if (as.isEmpty() && group.isEmpty() && version.isEmpty()) {
      return Target.OBJECT;
    }
    if (!group.equals(META) || !(version.equals("v1") || version.equals("v1beta1"))) {
      return null;
    }
    return switch (as) {
      case "Table" -> encoding == Encoding.PROTOBUF ? null : Target.TABLE;
      case "PartialObjectMetadata" -> Target.PARTIAL_METADATA;
      case "PartialObjectMetadataList" -> Target.PARTIAL_METADATA_LIST;
      default -> null;
    };
  }

  /** The encoding of a request body, by its {@code Content-Type}; an empty one means JSON. */
  public static Encoding ofBody(String contentType) {
    return ofBody(SupportedMediaTypes.STANDARD, contentType);
  }

  /** The encoding of a request body, among the supported media types. */
  public static Encoding ofBody(SupportedMediaTypes supportedMediaTypes, String contentType) {
    if (contentType.isEmpty() || contentType.equals("application/json")) {
      return Encoding.JSON;
    }
    var type = MediaType.parse(contentType);
    if (type != null) {
      for (var encoding : supportedMediaTypes.encodings()) {
        if (encoding.mediaType().equals(type.name())) {
          return encoding;
        }
      }
    }
    throw new ApiException(
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "the body of the request was in an unknown format - accepted media types include: "
            + supportedMediaTypes.types());
  }

  /**
   * Whether to indent JSON: when the request asks for it, or when a browser or command-line tool
   * such as curl sent it.
   *
   * @param parameter the value of the query parameter {@code pretty}, "" when it is missing
   */
  public static boolean isPretty(String parameter, String userAgent) {
    if (!parameter.isEmpty()) {
      return switch (parameter) {
        case "1", "t", "T", "true", "TRUE", "True" -> true;
        default -> false;
      };
    }
    return userAgent.startsWith("curl")
        || userAgent.startsWith("Wget")
        || userAgent.startsWith("Mozilla/5.0");
  }
}
