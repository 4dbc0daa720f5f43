package dev.muster.replica.object;

import dev.muster.model.json.JsonObject;

/**
 * The tree from which an object was written, in canonical form. Immutable.
 *
 * @param isValid whether the whole object was validated, and not only its changed part
 */
public record WrittenTree(JsonObject tree, boolean isValid) {}
