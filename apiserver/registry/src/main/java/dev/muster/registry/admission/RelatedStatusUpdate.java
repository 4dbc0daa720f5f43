package dev.muster.registry.admission;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/**
 * A status update of another object that is committed together with the admitted write or not at
 * all. The server itself owns the status fields that it changes. The update is guarded by the
 * resourceVersion of {@code old}: if another write changed that object in the meantime, the whole
 * request is admitted again on a newer snapshot.
 *
 * @param old the object as it was read
 * @param object the same object with its new status
 */
public record RelatedStatusUpdate(
    GroupVersionResource resource, JsonObject old, JsonObject object) {}
