package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.DraftValues.Items;
import dev.muster.patch.DraftValues.Members;
import org.jspecify.annotations.Nullable;

/**
 * The document during a JSON patch. Only containers on the path to a change become mutable, each
 * once; all other values stay immutable and shared. Only one thread uses it.
 */
final class PatchDraft {
  /** The default of {@code --max-json-patch-copy-bytes}. */
  private static final long MOST_COPIED_BYTES = 3 * 1024 * 1024;

  /** The nesting limit of the decoders, so that a result can be decoded again. */
  private static final int DEEPEST = 1_000;

  private Object root;

  private final boolean sorts;
  private long copiedBytes;

  /**
   * @param sorts whether objects that an operation opens get sorted members
   */
  PatchDraft(Json document, boolean sorts) {
    root = document;
    this.sorts = sorts;
  }

  /** The container at the end of a path, and the path's last segment. */
  private record FieldSlot(Object container, String key) {}

  /** Whether the operation succeeded; after a failure the draft must not be used. */
  boolean perform(PatchOperation operation) {
    return switch (operation.kind()) {
      case "add" -> add(operation.path(), orNull(operation.value()));
      case "remove" -> remove(place(operation.path()));
      case "replace" -> replace(operation);
      case "move" -> move(operation);
      case "copy" -> copy(operation);
      case "test" -> test(operation);
      default -> false;
    };
  }

  private static Object orNull(@Nullable Object value) {
    return value == null ? JsonNull.NULL : value;
  }

  private boolean add(@Nullable String path, Object value) {
    var place = place(path);
    return switch (place == null ? null : place.container()) {
      case Members members when place != null -> {
        members.values().put(place.key(), value);
        yield true;
      }
      case Items items when place != null -> {
        int size = items.values().size();
        int index = place.key().equals("-") ? size : index(place.key(), size + 1);
        if (index < 0) {
          yield false;
        }
        items.values().insert(index, value);
        yield true;
      }
      case null, default -> false;
    };
  }

  private static boolean remove(@Nullable FieldSlot place) {
    return switch (place == null ? null : place.container()) {
      case Members members when place != null -> members.values().remove(place.key()) != null;
      case Items items when place != null -> {
        int index = index(place.key(), items.values().size());
        if (index < 0) {
          yield false;
        }
        items.values().remove(index);
        yield true;
      }
      case null, default -> false;
    };
  }

  private boolean replace(PatchOperation operation) {
    if ("".equals(operation.path())) {
      if (operation.value() instanceof JsonObject || operation.value() instanceof JsonArray) {
        var opened = sorts ? DraftValues.open(operation.value(), true) : null;
        root = opened == null ? operation.value() : opened;
        return true;
      }
      return false;
    }
    var place = place(operation.path());
    var value = orNull(operation.value());
    return switch (place == null ? null : place.container()) {
      case Members members when place != null -> {
        members.values().put(place.key(), value);
        yield true;
      }
      case Items items when place != null -> {
        int index = index(place.key(), items.values().size());
        if (index < 0) {
          yield false;
        }
        items.values().set(index, value);
        yield true;
      }
      case null, default -> false;
    };
  }

  private boolean move(PatchOperation operation) {
    var from = place(operation.from());
    if (from == null) {
      return false;
    }
    var value = get(from);
    return remove(from) && add(operation.path(), orNull(value));
  }

  private boolean copy(PatchOperation operation) {
    var from = place(operation.from());
    if (from == null || !readable(from) || place(operation.path()) == null) {
      return false;
    }
    var value = get(from);
    var copy = value == null ? JsonNull.NULL : DraftValues.freeze(value, DEEPEST);
    if (copy == null) {
      return false;
    }
    if (value != null) {
      copiedBytes += JsonSize.of(copy, MOST_COPIED_BYTES - copiedBytes, DEEPEST);
      if (copiedBytes > MOST_COPIED_BYTES) {
        return false;
      }
    }
    return add(operation.path(), copy);
  }

  private boolean test(PatchOperation operation) {
    var wanted = orNull(operation.value());
    if ("".equals(operation.path())) {
      root = sorts ? DraftValues.sorted(root) : root;
      return DraftValues.same(root, wanted);
    }
    var place = place(operation.path());
    if (place == null || !readable(place)) {
      return false;
    }
    var value = get(place);
    if (sorts && value != null) {
      put(place, DraftValues.sorted(value));
    }
    return DraftValues.same(orNull(value), wanted);
  }

  /** Whether a read succeeds: any key of an object, and existing indexes of an array. */
  private static boolean readable(FieldSlot place) {
    return !(place.container() instanceof Items items)
        || index(place.key(), items.values().size()) >= 0;
  }

  /** The value, or null when there is none or it is null. */
  private static @Nullable Object get(FieldSlot place) {
    var value =
        switch (place.container()) {
          case Members members -> members.values().get(place.key());
          case Items items -> {
            int index = index(place.key(), items.values().size());
            yield index < 0 ? null : items.values().get(index);
          }
          default -> null;
        };
    return value == JsonNull.NULL ? null : value;
  }

  /** Opens every container on the path; null when a container on the path is missing. */
  private @Nullable FieldSlot place(@Nullable String path) {
    int slash = path == null ? -1 : path.indexOf('/');
    if (path == null || slash < 0) {
      return null;
    }
    var container = DraftValues.open(root, sorts);
    if (container == null) {
      return null;
    }
    root = container;
    while (true) {
      int next = path.indexOf('/', slash + 1);
      if (next < 0) {
        return new FieldSlot(container, unescape(path.substring(slash + 1)));
      }
      var place = new FieldSlot(container, unescape(path.substring(slash + 1, next)));
      var child = get(place);
      container = child == null ? null : DraftValues.open(child, sorts);
      if (child == null || container == null) {
        return null;
      }
      if (container != child) {
        put(place, container);
      }
      slash = next;
    }
  }

  private static void put(FieldSlot place, Object value) {
    switch (place.container()) {
      case Members members -> members.values().put(place.key(), value);
      case Items items -> items.values().set(index(place.key(), items.values().size()), value);
      default -> throw new IllegalStateException("not a container");
    }
  }

  private static String unescape(String part) {
    return part.indexOf('~') < 0 ? part : part.replace("~1", "/").replace("~0", "~");
  }

  /** An index as Go parses it, with negative ones counted from the end; -1 for an invalid one. */
  private static int index(String text, int size) {
    int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    if (start == text.length()) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = Math.min(number * 10 + digit, Integer.MAX_VALUE);
    }
    long index = text.startsWith("-") && number > 0 ? size - number : number;
    return index >= 0 && index < size ? (int) index : -1;
  }

  /** The document with all changes, or null when it nests too deeply. */
  @Nullable Json freeze() {
    return DraftValues.freeze(root, DEEPEST);
  }
}
