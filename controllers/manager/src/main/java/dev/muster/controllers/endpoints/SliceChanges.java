package dev.muster.controllers.endpoints;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The EndpointSlices to create, update and delete. Not thread-safe. */
record SliceChanges(List<JsonObject> create, List<JsonObject> update, List<JsonObject> delete) {
  SliceChanges() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  boolean isEmpty() {
    return create.isEmpty() && update.isEmpty() && delete.isEmpty();
  }

  /**
   * Replaces a deletion and a creation by one update where possible: one write instead of two, and
   * no moment with neither slice.
   *
   * @param owner the UID of the object that owns the slices
   */
  void reuse(String owner) {
    var gone = delete.iterator();
    while (gone.hasNext() && !create.isEmpty()) {
      var old = gone.next();
      var type = old.string("addressType");
      var index = lastOfType(type);
      if (index >= 0 && isOwnedBy(old, owner)) {
        var fresh = create.remove(index);
        var metadata =
            old.object("metadata")
                .with("labels", fresh.object("metadata").object("labels"))
                .with("ownerReferences", fresh.object("metadata").array("ownerReferences"));
        update.add(fresh.with("metadata", metadata));
        gone.remove();
      }
    }
  }

  private int lastOfType(String type) {
    for (int i = create.size() - 1; i >= 0; i--) {
      if (create.get(i).string("addressType").equals(type)) {
        return i;
      }
    }
    return -1;
  }

  static boolean isOwnedBy(JsonObject slice, String uid) {
    JsonArray owners = slice.object("metadata").array("ownerReferences");
    return owners.objects().stream().anyMatch(owner -> owner.string("uid").equals(uid));
  }
}
