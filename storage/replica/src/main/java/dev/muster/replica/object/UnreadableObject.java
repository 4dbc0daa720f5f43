package dev.muster.replica.object;

import dev.muster.model.ObjectName;

/**
 * An object whose stored value could not be decoded. The ranges of its collection leave it out.
 * Watchers see no event of it until it is readable again or deleted.
 *
 * @param why the decoder's message
 */
public record UnreadableObject(String key, ObjectName name, long revision, String why) {}
