package dev.muster.replica.object;

import dev.muster.model.ObjectName;

/**
 * An object whose stored value could not be decoded. It is not in its collection's ranges; watchers
 * see nothing of it until it is readable again or gone.
 *
 * @param why what the decoder said
 */
public record UnreadableObject(String key, ObjectName name, long revision, String why) {}
