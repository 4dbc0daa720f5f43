/**
 * Webhooks that admit requests: which are asked about one, what they are sent and what comes of it.
 */
@NullMarked
package dev.muster.admission.webhook;

import org.jspecify.annotations.NullMarked;
