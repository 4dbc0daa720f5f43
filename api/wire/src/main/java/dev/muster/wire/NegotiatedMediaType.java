package dev.muster.wire;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In which form a client wants its answer.
 *
 * @param target the object itself, or something made from it
 * @param targetVersion the version of the target's kind, such as {@code v1}
 */
public record NegotiatedMediaType(
    Encoding encoding, Target target, String targetVersion, boolean pretty) {

  /** What is made of the objects. */
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
   * Chooses by the {@code Accept} header; none means JSON.
   *
   * @param streams whether the resource can be watched on this path, which widens the offer
   */
  public static NegotiatedMediaType of(String accept, boolean streams) {
    return of(SupportedMediaTypes.STANDARD, accept, streams);
  }

  /** Chooses among an offer. */
  public static NegotiatedMediaType of(
      SupportedMediaTypes supportedMediaTypes, String accept, boolean streams) {
    return of(supportedMediaTypes, accept, streams, true);
  }

  /**
   * Chooses among an offer.
   *
   * @param tables whether what is asked for can be had as a table
   */
  public static NegotiatedMediaType of(
      SupportedMediaTypes supportedMediaTypes, String accept, boolean streams, boolean tables) {
    return of(supportedMediaTypes, accept, streams, tables, false);
  }

  /**
   * Chooses among an offer.
   *
   * @param custom whether it is about a custom resource: upstream's router does not look at the
   *     header then, and only what is made of the object can be had as protobuf
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
   * Chooses the encoding of a document that has no other form, such as discovery.
   *
   * @param routed whether upstream's router looks at the header before the document does
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
   * The encoding of aggregated discovery when one clause of the header asks for that, or null.
   *
   * @param kind the parameters that such a clause has
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
   * Checks that a document which there is in one type only is accepted in it.
   *
   * @throws ApiException when it is not
   */
  public static void requireRouted(String accept, String type) {
    if (!accept.isEmpty()
        && MediaType.parseAccept(accept).stream()
            .noneMatch(clause -> clause.name().equals("*/*") || clause.name().equals(type))) {
      throw notRouted(type);
    }
  }

  /**
   * Checks that a log may be asked for like that: it is sent as plain text, but negotiated as if it
   * were an object.
   *
   * @throws ApiException when it may not
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

  /** Upstream's router refuses before any handler sees the request, in its own words. */
  private static ApiException notRouted(String types) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "406: Not Acceptable\n\nAvailable representations: " + types,
        StatusDetails.EMPTY);
  }

  /**
   * The encoding of an error, which has no other form than its own: what is accepted as it is
   * counts, and JSON on lines when nothing is.
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

  /** Chooses the encoding of a watch, which YAML cannot be. */
  public static NegotiatedMediaType ofWatch(String accept) {
    return ofWatch(SupportedMediaTypes.STANDARD, accept);
  }

  /** Chooses the encoding of a watch among an offer. */
  public static NegotiatedMediaType ofWatch(
      SupportedMediaTypes supportedMediaTypes, String accept) {
    return ofWatch(supportedMediaTypes, accept, false);
  }

  /** Chooses the encoding of a watch among an offer; see {@link #of}. */
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

  /** Whether the encoding can be had as the clause wants it streamed and versioned. */
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

  /** The encoding of a request body, by its {@code Content-Type}; none means JSON. */
  public static Encoding ofBody(String contentType) {
    return ofBody(SupportedMediaTypes.STANDARD, contentType);
  }

  /** The encoding of a request body, among those of an offer. */
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
   * Whether JSON is put on lines: when the request says so, or when a person seems to look at it.
   *
   * @param parameter the value of the query's {@code pretty}, "" when there is none
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
