package dev.muster.replica.object;

import dev.muster.model.json.JsonObject;

/**
 * The tree that an object was written from, in its normal form. Immutable.
 *
 * @param isValid whether all of it was checked, and not only the part that was changed
 */
public record WrittenTree(JsonObject tree, boolean isValid) {}
