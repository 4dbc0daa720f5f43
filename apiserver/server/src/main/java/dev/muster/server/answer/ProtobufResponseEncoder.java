package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.types.ServedType;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.wire.Encoding;
import java.util.Iterator;
import java.util.List;

/**
 * Encodes objects as protobuf in their stored version. The first request encodes an object; the
 * replica caches the bytes for all later gets, lists and watches.
 */
final class ProtobufResponseEncoder implements ResponseEncoder {
  /** The event loop itself encodes objects of up to this number of bytes of JSON. */
  private static final int SMALL = 4096;

  /**
   * The event loop itself walks through cached lists of up to this number of objects, in less than
   * a millisecond.
   */
  private static final int FEW = 5_000;

  private final ServedType type;
  private final WatchEncoding watch;

  ProtobufResponseEncoder(ServedType type) {
    this.type = type;
    this.watch = new Watch(new Bookmarks(type));
  }

  @Override
  public String contentType() {
    return Encoding.PROTOBUF.mediaType();
  }

  @Override
  public String streamType() {
    return Encoding.PROTOBUF.streamType();
  }

  @Override
  public boolean isPrecomputed(StoredObject object) {
    return object.json().length <= SMALL || object.remembers(Envelope.FORM);
  }

  @Override
  public boolean isPrecomputed(ListPage page) {
    int count = 0;
    for (var object : page.objects()) {
      if (++count > FEW || !object.remembers(Envelope.FORM)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Iterator<SharedBytes> parts(StoredObject object) {
    return List.of(SharedBytes.of(object.form(Envelope.FORM))).iterator();
  }

  @Override
  public List<byte[]> object(StoredObject object) {
    return List.of(object.form(Envelope.FORM));
  }

  @Override
  public byte[] object(JsonObject object) {
    return ProtobufCodec.encode(object);
  }

  @Override
  public byte[] made(JsonObject object) {
    return ProtobufCodec.encode(object);
  }

  @Override
  public Iterator<SharedBytes> list(ListPage page) {
    long items = 0;
    for (var object : page.objects()) {
      CpuTask.checkpoint();
      items += ProtobufCodec.listItemLength(object.form(Envelope.FORM));
    }
    var empty = list(page, List.of());
    return new ListParts<>(
        page.objects().iterator(),
        ProtobufCodec.listHead(empty, items),
        (object, first, out) -> TreeLists.addEnvelope(object.form(Envelope.FORM), out),
        ProtobufCodec.listTail(empty));
  }

  @Override
  public byte[] list(ListPage page, List<JsonObject> objects) {
    return ProtobufCodec.encode(ListMetadata.list(type, ListMetadata.of(type, page), objects));
  }

  @Override
  public WatchEncoding watch() {
    return watch;
  }

  /** The form under which the replica caches the bytes. */
  private enum Envelope implements Form {
    FORM;

    @Override
    public int slot() {
      return 0;
    }

    @Override
    public byte[] encode(StoredObject object) {
      return ProtobufCodec.encode(object.tree());
    }

    @Override
    public byte[] frame(EventKind kind, byte[] encoded) {
      return ProtobufCodec.watchFrame(kind.name(), encoded);
    }
  }

  private record Watch(Bookmarks bookmarks) implements WatchEncoding {
    @Override
    public boolean isPrecomputed(StoredObject object) {
      return object.json().length <= SMALL || object.remembers(Envelope.FORM);
    }

    @Override
    public byte[] frame(EventKind kind, WatchEvent event) {
      return event.frame(kind, Envelope.FORM);
    }

    @Override
    public byte[] initial(StoredObject object) {
      return ProtobufCodec.watchFrame(EventKind.ADDED.name(), object.form(Envelope.FORM));
    }

    @Override
    public byte[] bookmark(long revision, boolean endOfInitialEvents) {
      return Encoders.frame(
          Encoding.PROTOBUF, "BOOKMARK", bookmarks.object(revision, endOfInitialEvents));
    }

    @Override
    public byte[] error(JsonObject status) {
      return Encoders.frame(Encoding.PROTOBUF, "ERROR", status);
    }
  }
}
