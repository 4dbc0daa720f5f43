package dev.muster.admission.webhook;

import dev.muster.admission.matching.MatchedVersion;

/**
 * A webhook to be called for a request.
 *
 * @param version the version in which it gets the object
 */
record Invocation(Hook hook, MatchedVersion version) {}
