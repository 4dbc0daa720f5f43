package dev.muster.replica.object;

import dev.muster.model.ObjectName;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.store.EncryptionState;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonScanner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An API object at one revision, with its encoded bytes. Immutable and thread-safe; it caches
 * derived values.
 */
public final class StoredObject {
  private static final String[] NONE = {};
  private static final VarHandle FORM = MethodHandles.arrayElementVarHandle(byte[][].class);

  private final String namespace;
  private final String name;
  private final long revision;
  // A uid is nearly always a UUID: two longs save two heap objects.
  private final long uidHigh;
  private final long uidLow;
  private final @Nullable String oddUid;
  private final byte[] json;
  private final String[] labels;
  // Names and values alternate, as in the labels.
  private final String[] fields;
  private final boolean outdated;
  private final EncryptionState encryptionState;
  // The stored value. Kept only where it cannot be derived from the JSON and may be decoded again
  // later.
  private final byte @Nullable [] odd;
  private volatile @Nullable SoftReference<byte[][]> forms;
  private volatile @Nullable WrittenTree written;
  private volatile @Nullable Extracted extracted;

  /**
   * The values of one extractor, linked to those of earlier extractors.
   *
   * @param older null for the first extractor
   */
  private record Extracted(FieldExtractor by, String[] values, @Nullable Extracted older) {
    @Nullable Extracted find(FieldExtractor extractor) {
      for (var each = this; each != null; each = each.older) {
        if (each.by.equals(extractor)) {
          return each;
        }
      }
      return null;
    }

    /**
     * Keeps only the last extractor's values; earlier extractors may belong to types that no longer
     * exist.
     */
    Extracted last() {
      return older == null ? this : new Extracted(by, values, null);
    }
  }

  /**
   * @param value the stored value, when {@link #value} must return it later; else null
   */
  public StoredObject(
      ObjectName place,
      long revision,
      StorageCodec.Decoded decoded,
      byte @Nullable [] value,
      EncryptionState encryptionState,
      List<IndexedField> indexes,
      StringPool words) {
    this.namespace = words.share(place.namespace());
    this.name = place.name();
    this.revision = revision;
    this.json = decoded.json();
    this.outdated = decoded.outdated();
    this.encryptionState = encryptionState;
    this.odd = value == null || StoredValue.follows(value, json) ? null : value;
    this.labels = compact(decoded.labels(), words);
    var uuid = uuid(decoded.uid());
    this.oddUid = uuid == null ? decoded.uid() : null;
    this.uidHigh = uuid == null ? 0 : uuid.getMostSignificantBits();
    this.uidLow = uuid == null ? 0 : uuid.getLeastSignificantBits();
    if (indexes.isEmpty()) {
      this.fields = NONE;
    } else {
      var pairs = new String[indexes.size() * 2];
      for (int i = 0; i < indexes.size(); i++) {
        pairs[2 * i] = indexes.get(i).field();
        pairs[2 * i + 1] = words.share(indexes.get(i).value().apply(this));
      }
      this.fields = pairs;
    }
  }

  /** The same object with another revision in its JSON. */
  private StoredObject(StoredObject other, long revision, byte[] json) {
    this.namespace = other.namespace;
    this.name = other.name;
    this.revision = revision;
    this.uidHigh = other.uidHigh;
    this.uidLow = other.uidLow;
    this.oddUid = other.oddUid;
    this.json = json;
    this.odd = null;
    this.labels = other.labels;
    this.fields = other.fields;
    this.outdated = other.outdated;
    this.encryptionState = other.encryptionState;
  }

  private static @Nullable UUID uuid(String uid) {
    if (uid.length() != 36) {
      return null;
    }
    try {
      var uuid = UUID.fromString(uid);
      return uuid.toString().equals(uid) ? uuid : null;
    } catch (IllegalArgumentException odd) {
      return null;
    }
  }

  /** Keys and values in turn, sorted by key. */
  private static String[] compact(Map<String, String> labels, StringPool words) {
    if (labels.isEmpty()) {
      return NONE;
    }
    var pairs = new ArrayList<String>(labels.size() * 2);
    new TreeMap<>(labels)
        .forEach(
            (key, value) -> {
              pairs.add(words.share(key));
              pairs.add(words.share(value));
            });
    return pairs.toArray(NONE);
  }

  public ObjectName name() {
    return new ObjectName(namespace, name);
  }

  public String namespace() {
    return namespace;
  }

  public String simpleName() {
    return name;
  }

  /** The mod revision, which is the object's resource version. */
  public long revision() {
    return revision;
  }

  public String uid() {
    return oddUid != null ? oddUid : new UUID(uidHigh, uidLow).toString();
  }

  /** The canonical JSON including the resource version. The array is shared: do not change it. */
  public byte[] json() {
    return json;
  }

  /**
   * Whether the store holds the object in an older form, so that writing it unchanged changes the
   * store.
   */
  public boolean isOutdated() {
    return outdated;
  }

  /** How the store keeps the value. */
  public EncryptionState sealing() {
    return encryptionState;
  }

  /** The stored value, for an object that keeps it. */
  public byte[] value() {
    return odd == null ? StoredValue.of(json) : odd;
  }

  /** The JSON as a tree. Every call parses it, unless {@link RecentTrees} has the tree. */
  public JsonObject tree() {
    var known = written;
    return known != null ? known.tree() : parsed();
  }

  /** Whether the JSON has a value at that path of keys. Does not parse the object. */
  public boolean has(String... path) {
    return JsonScanner.find(json, path) >= 0;
  }

  /**
   * The JSON as a tree, possibly without the members of one key, at whatever depth it occurs.
   * Faster than {@link #tree} when these members are most of the object.
   */
  public JsonObject outline(String without) {
    var known = written;
    if (known != null) {
      return known.tree();
    }
    return JsonReader.read(JsonScanner.without(json, without)) instanceof JsonObject tree
        ? tree
        : JsonObject.EMPTY;
  }

  /** The object at that path of keys, or an empty one. Parses only that object. */
  public JsonObject part(String... path) {
    var known = written;
    if (known != null) {
      var part = known.tree();
      for (var key : path) {
        part = part.object(key);
      }
      return part;
    }
    int start = JsonScanner.find(json, path);
    return start >= 0
            && JsonReader.document(json, start, end(json, start) - start).value()
                instanceof JsonObject part
        ? part
        : JsonObject.EMPTY;
  }

  /** The string at that path of keys, or "". Does not parse the rest. */
  public String text(String... path) {
    return JsonScanner.string(json, path);
  }

  /** Whether both objects have the same object at that key; compares the text without parsing. */
  public boolean hasSame(String key, StoredObject other) {
    int mine = JsonScanner.find(json, key);
    int theirs = JsonScanner.find(other.json, key);
    if (mine < 0 || theirs < 0 || json[mine] != '{') {
      return false;
    }
    // An object ends at its closing bracket, so the comparison needs no text after it.
    int length = end(json, mine) - mine;
    return length <= other.json.length - theirs
        && Arrays.equals(json, mine, mine + length, other.json, theirs, theirs + length);
  }

  private static int end(byte[] json, int start) {
    return JsonScanner.afterValue(json, start, json.length);
  }

  private JsonObject parsed() {
    return JsonReader.read(json) instanceof JsonObject tree ? tree : JsonObject.EMPTY;
  }

  /** The tree from which this server wrote the object, if {@link RecentTrees} has it. */
  public @Nullable WrittenTree written() {
    return written;
  }

  /** See {@link RecentTrees}. */
  void remember(@Nullable WrittenTree tree) {
    assert tree == null || tree.tree().toString().equals(parsed().toString());
    written = tree;
  }

  /** The value of that label, or null. */
  public @Nullable String label(String key) {
    return LabelView.find(labels, key);
  }

  /** The labels, sorted by key; immutable. */
  public Map<String, String> labels() {
    return new LabelView(labels);
  }

  public boolean matches(LabelSelector selector) {
    return selector.isEverything() || selector.matches(labels());
  }

  /** The value of the indexed field with that number in its collection. */
  public String field(int number) {
    return fields[2 * number + 1];
  }

  /** The value of the field of that name if the collection indexes it; else null. */
  public @Nullable String indexed(String field) {
    return LabelView.find(fields, field);
  }

  /** The number of labels. */
  public int labelCount() {
    return labels.length / 2;
  }

  public String labelKey(int number) {
    return labels[2 * number];
  }

  public String labelValue(int number) {
    return labels[2 * number + 1];
  }

  /** The values of that extractor, computed once however many threads ask. */
  public String[] extracted(FieldExtractor extractor) {
    var known = extracted;
    var found = known == null ? null : known.find(extractor);
    return found != null ? found.values() : extract(extractor);
  }

  private synchronized String[] extract(FieldExtractor extractor) {
    var known = extracted;
    var found = known == null ? null : known.find(extractor);
    if (found == null) {
      found =
          new Extracted(extractor, extractor.extract(this), known == null ? null : known.last());
      extracted = found;
    }
    return found.values();
  }

  /** Whether {@link #extracted} returns cached values. */
  public boolean hasExtracted(FieldExtractor extractor) {
    var known = extracted;
    return known != null && known.find(extractor) != null;
  }

  /**
   * The object in another encoding, encoded once and cached while memory allows. The array is
   * shared.
   */
  public byte[] form(Form form) {
    var remembered = forms;
    var slots = remembered == null ? null : remembered.get();
    if (slots == null) {
      slots = new byte[Form.SLOTS][];
      forms = new SoftReference<>(slots);
    }
    var known = (byte[]) FORM.getAcquire(slots, form.slot());
    if (known != null) {
      return known;
    }
    var made = form.encode(this);
    FORM.setRelease(slots, form.slot(), made);
    return made;
  }

  /** Whether that form is cached. */
  public boolean remembers(Form form) {
    var remembered = forms;
    var slots = remembered == null ? null : remembered.get();
    return slots != null && FORM.getAcquire(slots, form.slot()) != null;
  }

  /** This object as a DELETED event at that revision shows it. */
  public StoredObject deletedAt(long deletion) {
    int start = JsonScanner.find(json, "metadata", "resourceVersion");
    if (start < 0) {
      return new StoredObject(this, deletion, json);
    }
    int end = end(json, start);
    var version = ("\"" + deletion + "\"").getBytes(StandardCharsets.ISO_8859_1);
    var changed = new byte[json.length - (end - start) + version.length];
    System.arraycopy(json, 0, changed, 0, start);
    System.arraycopy(version, 0, changed, start, version.length);
    System.arraycopy(json, end, changed, start + version.length, json.length - end);
    return new StoredObject(this, deletion, changed);
  }

  @Override
  public String toString() {
    return name() + "@" + revision;
  }
}
