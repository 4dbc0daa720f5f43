package dev.muster.admission.webhook;

import dev.muster.admission.matching.MatchedVersion;

/**
 * A webhook that is to be asked about a request.
 *
 * @param version in which it is asked
 */
record Invocation(Hook hook, MatchedVersion version) {}
