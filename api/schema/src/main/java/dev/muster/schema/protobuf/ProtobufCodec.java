package dev.muster.schema.protobuf;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.wire.DecodeException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes objects in Kubernetes' protobuf format: a prefix, then a message with the
 * kind of the object and the object itself. Thread-safe.
 */
public final class ProtobufCodec {
  private static final byte[] PREFIX = {'k', '8', 's', 0};

  /** The empty content type and encoding at the end. */
  private static final int TRAILER = 4;

  private ProtobufCodec() {}

  /** Whether bytes start with the prefix of an object in protobuf. */
  public static boolean isEnvelope(byte[] bytes) {
    return bytes.length >= PREFIX.length
        && Arrays.equals(bytes, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  /**
   * Encodes an object of a built-in kind in canonical form. An object without an apiVersion, such
   * as the oldest discovery documents, stays without one.
   *
   * @throws IllegalArgumentException when its kind has no protobuf form
   */
  public static byte[] encode(JsonObject object) {
    var version = object.string("apiVersion");
    var kind = GroupVersion.parse(version.isEmpty() ? "v1" : version).kind(object.string("kind"));
    var shape = Schemas.of(kind);
    if (shape == null) {
      throw new IllegalArgumentException("no protobuf form of " + kind);
    }
    return encode(shape, object);
  }

  /** Encodes an object as that struct. */
  public static byte[] encode(StructShape shape, JsonObject object) {
    var out = new BackwardBytes(1024);
    out.octet(0);
    out.octet(0x22);
    out.octet(0);
    out.octet(0x1a);
    int end = out.size();
    new ProtobufWriter(out).struct(shape, object);
    out.varint(out.size() - end);
    out.octet(0x12);
    end = out.size();
    out.text(object.string("kind"));
    out.octet(0x12);
    out.text(object.string("apiVersion"));
    out.octet(0x0a);
    out.varint(out.size() - end);
    out.octet(0x0a);
    out.bytes(PREFIX);
    return out.toArray();
  }

  /**
   * Decodes an object of a built-in kind.
   *
   * @return the object in canonical form, its kind and apiVersion first
   * @throws DecodeException when the bytes are invalid, with kube-apiserver's message
   */
  public static JsonObject decode(byte[] bytes) {
    return decode(bytes, Schemas::of);
  }

  /**
   * Decodes an object of one of certain kinds.
   *
   * @param shapes returns the struct of a known kind, null for other kinds
   * @return the object in canonical form, its kind and apiVersion first
   * @throws DecodeException when the bytes are invalid, with kube-apiserver's message
   */
  public static JsonObject decode(
      byte[] bytes, Function<GroupVersionKind, @Nullable StructShape> shapes) {
    var envelope = ProtobufEnvelope.read(bytes, PREFIX);
    var kind = GroupVersion.parse(envelope.apiVersion()).kind(envelope.kind());
    var shape = shapes.apply(kind);
    if (shape == null) {
      throw notRegistered(kind);
    }
    return decode(shape, envelope);
  }

  /** kube-apiserver's error for an unknown kind. */
  public static DecodeException notRegistered(GroupVersionKind kind) {
    return new DecodeException(
        "no kind \""
            + kind.kind()
            + "\" is registered for version \""
            + kind.apiVersion()
            + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
  }

  /** Decodes an object as that struct, whatever kind the envelope names. */
  static JsonObject decode(StructShape shape, ProtobufEnvelope envelope) {
    var in = new ProtobufBytes(envelope.bytes(), envelope.from(), envelope.to());
    var object = new ProtobufReader(in).struct(shape, envelope.to());
    var result = JsonObject.builder();
    result.putIf("kind", envelope.kind());
    result.putIf("apiVersion", envelope.apiVersion());
    for (int i = 0; i < object.size(); i++) {
      result.append(object.key(i), object.value(i));
    }
    return result.build();
  }

  /**
   * A watch event: a message of its own, preceded by its length in four bytes.
   *
   * @param object an encoded object
   */
  public static byte[] watchFrame(String type, byte[] object) {
    var out = new BackwardBytes(object.length + 64);
    int end = out.size();
    out.bytes(object);
    out.varint(object.length);
    out.octet(0x0a);
    out.varint(out.size() - end);
    out.octet(0x12);
    out.text(type);
    out.octet(0x0a);
    int length = out.size();
    for (int shift = 0; shift < 32; shift += 8) {
      out.octet(length >>> shift);
    }
    return out.toArray();
  }

  /** The start of the object itself in an envelope from {@link #encode}. */
  public static int contentStart(byte[] envelope) {
    var in = new ProtobufBytes(envelope, PREFIX.length, envelope.length);
    in.skip(in.tag());
    in.length(in.tag());
    return in.at();
  }

  /** The end of the object itself in an envelope. */
  public static int contentEnd(byte[] envelope) {
    return envelope.length - TRAILER;
  }

  /** The length of an object within a list, given its envelope. */
  public static int listItemLength(byte[] envelope) {
    int length = contentEnd(envelope) - contentStart(envelope);
    return 1 + BackwardBytes.varintLength(length) + length;
  }

  /** The bytes that precede an object of that length within a list. */
  public static byte[] listItemHead(int length) {
    var out = new BackwardBytes(8);
    out.varint(length);
    out.octet(0x12);
    return out.toArray();
  }

  /**
   * The bytes that precede the items of a list.
   *
   * @param emptyList the envelope of the list without items
   * @param itemsLength the total length of all items
   */
  public static byte[] listHead(byte[] emptyList, long itemsLength) {
    var in = new ProtobufBytes(emptyList, PREFIX.length, emptyList.length);
    in.skip(in.tag());
    var before = Arrays.copyOfRange(emptyList, 0, in.at());
    var metadata = Arrays.copyOfRange(emptyList, contentStart(emptyList), contentEnd(emptyList));
    var out = new BackwardBytes(emptyList.length + 16);
    out.bytes(metadata);
    out.varint(metadata.length + itemsLength);
    out.octet(0x12);
    out.bytes(before);
    return out.toArray();
  }

  /** The bytes that follow the items of a list. */
  public static byte[] listTail(byte[] emptyList) {
    return Arrays.copyOfRange(emptyList, contentEnd(emptyList), emptyList.length);
  }
}
