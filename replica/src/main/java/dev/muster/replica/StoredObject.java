package dev.muster.replica;

import dev.muster.model.JsonObject;
import dev.muster.model.ObjectName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An API object as one revision left it, encoded once. Immutable. */
public final class StoredObject {
  StoredObject() {}

  public ObjectName name() {
    return Pending.body();
  }

  /** The revision that wrote it: its resource version. */
  public long revision() {
    return Pending.body();
  }

  public String uid() {
    return Pending.body();
  }

  /** Its canonical JSON including the resource version; shared, so never to be changed. */
  public byte[] json() {
    return Pending.body();
  }

  /** Its JSON as a tree, parsed by every call. */
  public JsonObject tree() {
    return Pending.body();
  }

  /** The value of that label, or null. */
  public @Nullable String label(String key) {
    return Pending.body();
  }

  public Map<String, String> labels() {
    return Pending.body();
  }

  /** It in another encoding, made once and remembered while memory allows; shared. */
  public byte[] form(Form form) {
    return Pending.body();
  }
}
