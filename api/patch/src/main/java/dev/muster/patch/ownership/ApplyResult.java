package dev.muster.patch.ownership;

import dev.muster.model.json.JsonObject;

/**
 * What came of a server-side apply.
 *
 * @param object the object to store, not yet defaulted, with its managedFields
 * @param unchanged whether that is exactly what is stored already
 */
public record ApplyResult(JsonObject object, boolean unchanged) {}
