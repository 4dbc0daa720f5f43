package dev.muster.access.admission.webhook;

import dev.muster.access.admission.matching.MatchedVersion;

/**
 * A webhook that is to be asked about a request.
 *
 * @param version in which it is asked
 */
record Invocation(Hook hook, MatchedVersion version) {}
