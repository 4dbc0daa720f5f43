package dev.muster.registry.admission;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/**
 * A new status of another object that must be committed together with the admitted write or not at
 * all. The server itself owns what it changes there. The write is guarded by the resourceVersion of
 * the object that was read: when somebody else changed it meanwhile, the whole request is admitted
 * again on a newer view.
 *
 * @param old the object as it was read
 * @param object the same with its new status
 */
public record RelatedStatusUpdate(
    GroupVersionResource resource, JsonObject old, JsonObject object) {}
