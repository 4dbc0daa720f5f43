package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.read.ListPage;
import dev.muster.replica.object.StoredObject;

/** The answer to a write. */
public sealed interface WriteResult {

  int code();

  /** An object as it is now stored, in its stored version. */
  record Stored(int code, StoredObject object) implements WriteResult {}

  /** An object that is not in the store (a dry run, a removed object), in its stored version. */
  record Shown(int code, JsonObject object) implements WriteResult {}

  /** A finished body, such as a Scale or a review. */
  record Made(int code, JsonObject body) implements WriteResult {}

  /** Only a status that tells success. */
  record Done(int code, StatusDetails details) implements WriteResult {}

  /** The objects that a deletecollection removed, as they were. */
  record Several(int code, ListPage removed) implements WriteResult {}
}
