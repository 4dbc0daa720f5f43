package dev.muster.patch.ownership;

import dev.muster.model.json.JsonObject;

/**
 * The result of a server-side apply.
 *
 * @param object the object to store, without defaults, with its managedFields
 * @param unchanged whether the stored object is already equal
 */
public record ApplyResult(JsonObject object, boolean unchanged) {}
