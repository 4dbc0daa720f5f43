package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.Bytes;
import dev.muster.wire.CborWriter;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlWriter;
import java.util.Iterator;
import java.util.List;

/**
 * Encodes documents in parts, in every encoding. A document with a list encodes its items while the
 * parts are taken. The result equals that of {@link Encoders} for the whole document.
 */
final class TreeLists {
  private static final byte[] NOTHING = {};
  private static final byte[] COMMA = {','};
  private static final byte[] LIST_END = {']', '}', '\n'};

  private TreeLists() {}

  /** A document without a long list. */
  static Iterator<SharedBytes> whole(Encoding encoding, JsonObject document, boolean pretty) {
    if (encoding == Encoding.YAML) {
      return new YamlParts(new YamlWriter(document));
    }
    var bytes = List.of(SharedBytes.of(Encoders.encode(encoding, document))).iterator();
    return encoding == Encoding.JSON && pretty ? new IndentedParts(bytes) : bytes;
  }

  /**
   * @param document whose last member is an empty list
   * @param items the items of that list, at least one; in protobuf with their kind and version,
   *     which are left out
   */
  static Iterator<SharedBytes> of(
      Encoding encoding, JsonObject document, Iterable<JsonObject> items, boolean pretty) {
    var list = document.key(document.size() - 1);
    return switch (encoding) {
      case JSON -> {
        var parts = json(document, items);
        yield pretty ? new IndentedParts(parts) : parts;
      }
      case YAML -> new YamlParts(new YamlWriter(document, list, items.iterator()));
      case CBOR -> cbor(document, list, items);
      case PROTOBUF -> protobuf(document, items);
    };
  }

  private static Iterator<SharedBytes> json(JsonObject document, Iterable<JsonObject> items) {
    var head = JsonWriter.bytes(document);
    var cut = new Bytes(head.length);
    cut.add(head, 0, head.length - 2);
    return new ListParts<>(
        items.iterator(),
        cut.toArray(),
        (item, first, out) -> {
          out.add(first ? NOTHING : COMMA);
          out.add(JsonWriter.bytes(item));
        },
        LIST_END);
  }

  /** CBOR states the number of items before them, so this counts them first. */
  private static Iterator<SharedBytes> cbor(
      JsonObject document, String list, Iterable<JsonObject> items) {
    long count = 0;
    for (var ignored : items) {
      count++;
    }
    var around = CborWriter.around(document, list, count);
    return new ListParts<>(
        items.iterator(),
        around.before(),
        (item, first, out) -> out.add(CborWriter.item(item)),
        around.after());
  }

  /** Protobuf states the length of the list before it, so this encodes each item twice. */
  private static Iterator<SharedBytes> protobuf(JsonObject document, Iterable<JsonObject> items) {
    long length = 0;
    for (var item : items) {
      length += ProtobufCodec.listItemLength(ProtobufCodec.encode(item));
    }
    var empty = ProtobufCodec.encode(document);
    return new ListParts<>(
        items.iterator(),
        ProtobufCodec.listHead(empty, length),
        (item, first, out) -> addEnvelope(ProtobufCodec.encode(item), out),
        ProtobufCodec.listTail(empty));
  }

  /** Adds an object to a list, given its protobuf envelope. */
  static void addEnvelope(byte[] envelope, SharedBytes out) {
    int start = ProtobufCodec.contentStart(envelope);
    int length = ProtobufCodec.contentEnd(envelope) - start;
    out.add(ProtobufCodec.listItemHead(length));
    out.add(envelope, start, length);
  }
}
