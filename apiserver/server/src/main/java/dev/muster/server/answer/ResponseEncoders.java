package dev.muster.server.answer;

import dev.muster.types.Derivation;
import dev.muster.types.ServedType;
import dev.muster.types.options.Query;
import dev.muster.wire.Encoding;
import dev.muster.wire.NegotiatedMediaType;
import dev.muster.wire.SupportedMediaTypes;
import java.time.Clock;

/** Chooses the encoder of a response by the request's {@code Accept} header. Thread-safe. */
public final class ResponseEncoders {
  private static final Derivation<ServedType, ResponseEncoder> JSON =
      new Derivation<>(JsonResponseEncoder::new);
  private static final Derivation<ServedType, ResponseEncoder> PROTOBUF =
      new Derivation<>(ProtobufResponseEncoder::new);

  private final Clock clock;
  private final SupportedMediaTypes supportedMediaTypes;

  /**
   * @param supportedMediaTypes the encodings that the server offers
   */
  public ResponseEncoders(Clock clock, SupportedMediaTypes supportedMediaTypes) {
    this.clock = clock;
    this.supportedMediaTypes = supportedMediaTypes;
  }

  /** The content of the response. */
  public enum Kind {
    OBJECT,
    LIST,
    WATCH
  }

  /**
   * @param accept the {@code Accept} header, or ""
   * @param subresource the requested subresource, or "" for the object itself
   * @param userAgent the {@code User-Agent} header; browsers and curl get their JSON indented
   */
  public ResponseEncoder of(
      String accept,
      String userAgent,
      Query query,
      ServedType type,
      String subresource,
      Kind kind) {
    var negotiatedMediaType =
        kind == Kind.WATCH
            ? NegotiatedMediaType.ofWatch(supportedMediaTypes, accept, type.isCustom())
            : NegotiatedMediaType.of(
                supportedMediaTypes,
                accept,
                kind == Kind.LIST,
                type.offersTable(subresource),
                type.isCustom());
    boolean pretty =
        kind != Kind.WATCH
            && (negotiatedMediaType.pretty()
                || NegotiatedMediaType.isPretty(query.first("pretty"), userAgent));
    boolean asStored =
        negotiatedMediaType.target() == NegotiatedMediaType.Target.OBJECT
            && type.isStoredVersion()
            && !type.convertsByCall()
            && !pretty;
    if (asStored && negotiatedMediaType.encoding() == Encoding.JSON) {
      return JSON.of(type);
    }
    if (asStored && negotiatedMediaType.encoding() == Encoding.PROTOBUF) {
      return PROTOBUF.of(type);
    }
    return new TreeResponseEncoder(type, negotiatedMediaType, pretty, query, clock);
  }
}
