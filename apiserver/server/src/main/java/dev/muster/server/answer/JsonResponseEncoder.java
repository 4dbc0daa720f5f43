package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.types.ServedType;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Encodes objects as JSON in their stored version: it sends the bytes of the replica unchanged. It
 * cuts kind and version, which always come first, from the items of lists.
 */
final class JsonResponseEncoder implements ResponseEncoder {
  private static final byte[] NOTHING = {};
  private static final byte[] OPEN = {'{'};
  private static final byte[] NEXT = {','};
  private static final byte[] NEXT_OPEN = {',', '{'};
  private static final byte[] LIST_END = {']', '}', '\n'};
  private static final byte[] LINE_END = {'\n'};

  private final ServedType type;
  private final GroupVersionKind kind;
  private final byte[] head;
  private final WatchEncoding watch;

  JsonResponseEncoder(ServedType type) {
    this.type = type;
    this.kind = type.kind();
    this.head =
        ("{\"kind\":\"" + kind.kind() + "\",\"apiVersion\":\"" + kind.apiVersion() + "\",")
            .getBytes(StandardCharsets.UTF_8);
    this.watch = new Watch(type, new Bookmarks(type));
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public String streamType() {
    return "application/json";
  }

  @Override
  public boolean isPrecomputed(StoredObject object) {
    return true;
  }

  @Override
  public boolean sharesJson() {
    return true;
  }

  @Override
  public boolean isPrecomputed(ListPage page) {
    return true;
  }

  @Override
  public Iterator<SharedBytes> parts(StoredObject object) {
    var sharedBytes = new SharedBytes();
    object(object).forEach(sharedBytes::add);
    return List.of(sharedBytes).iterator();
  }

  @Override
  public List<byte[]> object(StoredObject object) {
    return List.of(json(type, object), LINE_END);
  }

  @Override
  public byte[] object(JsonObject object) {
    return JsonWriter.line(object);
  }

  /** The bytes of the replica, unless a custom object is stored in another version. */
  private static byte[] json(ServedType type, StoredObject object) {
    return object.isOutdated() && type.isCustom()
        ? JsonWriter.bytes(type.fromStored(object.tree()))
        : object.json();
  }

  @Override
  public byte[] made(JsonObject object) {
    return JsonWriter.line(object);
  }

  @Override
  public Iterator<SharedBytes> list(ListPage page) {
    return new ListParts<>(page.objects().iterator(), listHead(page), this::addItem, LIST_END);
  }

  private byte[] listHead(ListPage page) {
    var out = new Bytes(256);
    out.addAscii("{\"kind\":\"");
    out.addAscii(type.listKind().kind());
    out.addAscii("\",\"apiVersion\":\"");
    out.addAscii(kind.apiVersion());
    out.addAscii("\",\"metadata\":");
    new JsonWriter(out).write(ListMetadata.of(type, page));
    out.addAscii(",\"items\":[");
    return out.toArray();
  }

  private void addItem(StoredObject object, boolean first, SharedBytes out) {
    var json = json(type, object);
    if (startsWithHead(json)) {
      out.add(first ? OPEN : NEXT_OPEN);
      out.add(json, head.length, json.length - head.length);
    } else {
      out.add(first ? NOTHING : NEXT);
      out.add(json);
    }
  }

  private boolean startsWithHead(byte[] json) {
    return json.length > head.length && Arrays.equals(json, 0, head.length, head, 0, head.length);
  }

  @Override
  public byte[] list(ListPage page, List<JsonObject> objects) {
    return JsonWriter.line(ListMetadata.list(type, ListMetadata.of(type, page), objects));
  }

  @Override
  public WatchEncoding watch() {
    return watch;
  }

  private record Watch(ServedType type, Bookmarks bookmarks) implements WatchEncoding {
    @Override
    public boolean isPrecomputed(StoredObject object) {
      return true;
    }

    @Override
    public byte[] frame(EventKind kind, WatchEvent event) {
      if (type.isCustom()) {
        var object = kind == EventKind.DELETED ? event.deletedObject() : event.object();
        if (object != null && object.isOutdated()) {
          return Frames.json(kind.name(), json(type, object));
        }
      }
      return event.frame(kind);
    }

    @Override
    public byte[] initial(StoredObject object) {
      return Frames.json(EventKind.ADDED.name(), json(type, object));
    }

    @Override
    public byte[] bookmark(long revision, boolean endOfInitialEvents) {
      return Frames.json(
          "BOOKMARK", JsonWriter.bytes(bookmarks.object(revision, endOfInitialEvents)));
    }

    @Override
    public byte[] error(JsonObject status) {
      return Frames.json("ERROR", JsonWriter.bytes(status));
    }
  }
}
