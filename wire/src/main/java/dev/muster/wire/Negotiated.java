package dev.muster.wire;

import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In which form a client wants its answer.
 *
 * @param target the object itself, or something made from it
 * @param targetVersion the version of the target's kind, such as {@code v1}
 */
public record Negotiated(Encoding encoding, Target target, String targetVersion, boolean pretty) {

  /** What is made of the objects. */
  public enum Target {
    OBJECT,
    TABLE,
    PARTIAL_METADATA,
    PARTIAL_METADATA_LIST
  }

  public static final Negotiated JSON = new Negotiated(Encoding.JSON, Target.OBJECT, "", false);

  private static final String META = "meta.k8s.io";
  private static final List<Encoding> OFFERED =
      List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF);
  private static final String OFFER =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final String STREAM_OFFER =
      OFFER + ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  /**
   * Chooses by the {@code Accept} header; none means JSON.
   *
   * @param streams whether the resource can be watched on this path, which widens the offer
   */
  public static Negotiated of(String accept, boolean streams) {
    if (accept.isEmpty() || accept.equals("*/*") || accept.equals("application/json")) {
      return JSON;
    }
    for (var clause : MediaType.parseAccept(accept)) {
      var encoding = encoding(clause.name());
      var target = encoding == null ? null : target(clause);
      if (encoding != null && target != null) {
        return new Negotiated(
            encoding, target, clause.parameter("v"), clause.parameter("pretty").equals("1"));
      }
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "406: Not Acceptable\n\nAvailable representations: " + (streams ? STREAM_OFFER : OFFER),
        StatusDetails.NONE);
  }

  private static @Nullable Encoding encoding(String name) {
    if (name.equals("*/*")) {
      return Encoding.JSON;
    }
    for (var offered : OFFERED) {
      if (offered.mediaType().equals(name)) {
        return offered;
      }
    }
    return null;
  }

  private static @Nullable Target target(MediaType clause) {
    var as = clause.parameter("as");
    if (as.isEmpty()) {
      return Target.OBJECT;
    }
    var version = clause.parameter("v");
    if (!clause.parameter("g").equals(META)
        || !(version.equals("v1") || version.equals("v1beta1"))) {
      return null;
    }
    return switch (as) {
      case "Table" -> Target.TABLE;
      case "PartialObjectMetadata" -> Target.PARTIAL_METADATA;
      case "PartialObjectMetadataList" -> Target.PARTIAL_METADATA_LIST;
      default -> null;
    };
  }

  /** The encoding of a request body, by its {@code Content-Type}; none means JSON. */
  public static Encoding ofBody(String contentType) {
    if (contentType.isEmpty() || contentType.equals("application/json")) {
      return Encoding.JSON;
    }
    var type = MediaType.parse(contentType);
    if (type != null) {
      for (var encoding : Encoding.values()) {
        if (encoding.mediaType().equals(type.name())) {
          return encoding;
        }
      }
    }
    throw new ApiException(
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "the body of the request was in an unknown format - accepted media types include: "
            + OFFER);
  }
}
