package dev.muster.registry.admission;

import dev.muster.model.JsonObject;

/**
 * A change of another object that must be committed together with the admitted write or not at all.
 * The write is guarded by the object's own {@code metadata.resourceVersion}: when somebody else
 * changed it meanwhile, the whole request is admitted again on a newer view.
 *
 * @param collection the first part of its keys in the store, such as {@code /resourcequotas}
 * @param object the changed object in its stored version, with the resourceVersion it was read at
 */
public record Companion(String collection, String namespace, String name, JsonObject object) {}
