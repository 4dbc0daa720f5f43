package dev.muster.server.answer;

import dev.muster.http.SharedBytes;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.body.InternalTypes;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.types.ServedType;
import dev.muster.types.options.Query;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.table.TableEncoder;
import dev.muster.wire.Encoding;
import dev.muster.wire.NegotiatedMediaType;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects in any version and encoding, as objects, table rows or metadata only. It builds
 * each response from the object's tree, lists item by item.
 */
final class TreeResponseEncoder implements ResponseEncoder {
  /** The event loop itself parses and encodes objects of up to this number of bytes of JSON. */
  private static final int SMALL = 4096;

  private final ServedType type;
  private final NegotiatedMediaType negotiatedMediaType;
  private final boolean pretty;
  private final Query query;
  private final Clock clock;

  TreeResponseEncoder(
      ServedType type,
      NegotiatedMediaType negotiatedMediaType,
      boolean pretty,
      Query query,
      Clock clock) {
    this.type = type;
    this.negotiatedMediaType = negotiatedMediaType;
    this.pretty = pretty;
    this.query = query;
    this.clock = clock;
  }

  @Override
  public String contentType() {
    return negotiatedMediaType.encoding().mediaType();
  }

  @Override
  public String streamType() {
    return negotiatedMediaType.encoding().streamType();
  }

  @Override
  public boolean isPrecomputed(StoredObject object) {
    return object.json().length <= SMALL && !type.convertsByCall();
  }

  @Override
  public boolean isPrecomputed(ListPage page) {
    return false;
  }

  @Override
  public List<byte[]> object(StoredObject object) {
    return List.of(object(tree(object)));
  }

  @Override
  public Iterator<SharedBytes> parts(StoredObject object) {
    return TreeLists.whole(negotiatedMediaType.encoding(), shown(tree(object)), pretty);
  }

  /** The part of an object that the response needs. */
  private JsonObject tree(StoredObject object) {
    return switch (negotiatedMediaType.target()) {
      case OBJECT, TABLE -> object.tree();
      case PARTIAL_METADATA, PARTIAL_METADATA_LIST ->
          JsonObject.of("metadata", object.part("metadata"));
    };
  }

  @Override
  public byte[] object(JsonObject stored) {
    return encode(shown(stored));
  }

  private JsonObject shown(JsonObject stored) {
    return switch (negotiatedMediaType.target()) {
      case OBJECT -> type.fromStored(stored);
      case TABLE -> table().single(rowOf(stored), clock.instant());
      case PARTIAL_METADATA -> partial(stored);
      case PARTIAL_METADATA_LIST -> throw notA("not a list", type.stored(), "");
    };
  }

  @Override
  public byte[] made(JsonObject object) {
    return encode(
        switch (negotiatedMediaType.target()) {
          case OBJECT, TABLE -> object;
          case PARTIAL_METADATA -> partial(object);
          case PARTIAL_METADATA_LIST ->
              throw notA(
                  "not a list",
                  GroupVersion.parse(object.string("apiVersion")).kind(object.string("kind")),
                  "");
        });
  }

  private ApiException notA(String is, GroupVersionKind kind, String suffix) {
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "you requested PartialObjectMetadata"
            + (suffix.isEmpty() ? "List" : "")
            + ", but the requested object is "
            + is
            + " (*"
            + (type.isCustom() ? "unstructured.Unstructured" : InternalTypes.name(kind))
            + suffix
            + ")");
  }

  private TableEncoder table() {
    return new TableEncoder(
        type.table(),
        "meta.k8s.io/" + negotiatedMediaType.targetVersion(),
        TableEncoder.Include.parse(query.first("includeObject")),
        type::fromStored,
        type::shownMetadata);
  }

  /** The rows of built-in types are built from the stored version. */
  private JsonObject rowOf(JsonObject stored) {
    return type.isCustom() ? type.fromStored(stored) : stored;
  }

  private JsonObject partial(JsonObject object) {
    return JsonObject.of(
        "kind",
        "PartialObjectMetadata",
        "apiVersion",
        "meta.k8s.io/" + negotiatedMediaType.targetVersion(),
        "metadata",
        type.shownMetadata(object));
  }

  @Override
  public Iterator<SharedBytes> list(ListPage page) {
    if (type.convertsByCall()) {
      return convertedList(page);
    }
    var empty = listOf(metadata(page), List.of());
    if (!page.objects().iterator().hasNext()) {
      return TreeLists.whole(negotiatedMediaType.encoding(), empty, pretty);
    }
    return TreeLists.of(
        negotiatedMediaType.encoding(),
        empty.with(empty.key(empty.size() - 1), JsonArray.EMPTY),
        items(page.objects()),
        pretty);
  }

  /** A conversion webhook converts a list as a whole. */
  private Iterator<SharedBytes> convertedList(ListPage page) {
    var objects = new ArrayList<JsonObject>();
    for (var object : page.objects()) {
      objects.add(object.tree());
    }
    return TreeLists.whole(negotiatedMediaType.encoding(), listOf(metadata(page), objects), pretty);
  }

  /** The items of the list in the response, each built when it is taken. */
  private Iterable<JsonObject> items(Iterable<StoredObject> objects) {
    return switch (negotiatedMediaType.target()) {
      case OBJECT -> each(objects, this::listed);
      case TABLE -> {
        var table = table();
        var now = clock.instant();
        yield each(table.inOrder(objects), object -> table.row(rowOf(object.tree()), now));
      }
      case PARTIAL_METADATA, PARTIAL_METADATA_LIST ->
          each(objects, object -> partial(tree(object)));
    };
  }

  private JsonObject listed(StoredObject object) {
    var shown = type.fromStored(object.tree());
    return negotiatedMediaType.encoding() == Encoding.PROTOBUF || type.isCustom()
        ? shown
        : shown.without("kind").without("apiVersion");
  }

  /** Lets other tasks of the CPU pool run between two objects. */
  private static Iterable<JsonObject> each(
      Iterable<StoredObject> objects, Function<StoredObject, JsonObject> made) {
    return () -> {
      var all = objects.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return all.hasNext();
        }

        @Override
        public JsonObject next() {
          CpuTask.checkpoint();
          return made.apply(all.next());
        }
      };
    };
  }

  @Override
  public byte[] list(ListPage page, List<JsonObject> stored) {
    return encode(listOf(metadata(page), stored));
  }

  private JsonObject metadata(ListPage page) {
    return negotiatedMediaType.target() == NegotiatedMediaType.Target.OBJECT
        ? ListMetadata.of(type, page)
        : ListMetadata.of(page);
  }

  private JsonObject listOf(JsonObject metadata, List<JsonObject> stored) {
    return switch (negotiatedMediaType.target()) {
      case OBJECT -> ListMetadata.list(type, metadata, type.fromStored(stored));
      case TABLE ->
          table()
              .list(metadata, type.isCustom() ? type.fromStored(stored) : stored, clock.instant());
      case PARTIAL_METADATA -> throw notA("a list", type.stored(), "List");
      case PARTIAL_METADATA_LIST -> {
        var items = new ArrayList<Json>();
        stored.forEach(object -> items.add(partial(object)));
        yield JsonObject.of(
            "kind",
            "PartialObjectMetadataList",
            "apiVersion",
            "meta.k8s.io/" + negotiatedMediaType.targetVersion(),
            "metadata",
            metadata,
            "items",
            items.isEmpty() ? JsonNull.NULL : JsonArray.of(items));
      }
    };
  }

  private byte[] encode(JsonObject object) {
    return Encoders.encode(negotiatedMediaType.encoding(), object, pretty);
  }

  @Override
  public WatchEncoding watch() {
    return new Watch();
  }

  /** The table remembers whether this watch has sent the column definitions. */
  private final class Watch implements WatchEncoding {
    private final Bookmarks bookmarks = new Bookmarks(type);
    private final @Nullable TableEncoder table =
        negotiatedMediaType.target() == NegotiatedMediaType.Target.TABLE ? table() : null;

    @Override
    public boolean isPrecomputed(StoredObject object) {
      return false;
    }

    @Override
    public byte[] frame(EventKind kind, WatchEvent event) {
      var object = kind == EventKind.DELETED ? event.deletedObject() : event.object();
      return object == null ? new byte[0] : framed(kind.name(), told(tree(object)));
    }

    @Override
    public byte[] initial(StoredObject object) {
      return framed(EventKind.ADDED.name(), told(tree(object)));
    }

    private JsonObject told(JsonObject stored) {
      return switch (negotiatedMediaType.target()) {
        case OBJECT -> type.fromStored(stored);
        case TABLE -> Objects.requireNonNull(table).event(rowOf(stored), clock.instant());
        case PARTIAL_METADATA, PARTIAL_METADATA_LIST -> partial(stored);
      };
    }

    private byte[] framed(String eventType, JsonObject object) {
      return Encoders.frame(negotiatedMediaType.encoding(), eventType, object);
    }

    @Override
    public byte[] bookmark(long revision, boolean endOfInitialEvents) {
      var object = bookmarks.object(revision, endOfInitialEvents);
      return framed(
          "BOOKMARK",
          negotiatedMediaType.target() == NegotiatedMediaType.Target.OBJECT
              ? object
              : told(object));
    }

    @Override
    public byte[] error(JsonObject status) {
      return framed("ERROR", status);
    }
  }
}
