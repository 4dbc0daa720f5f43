/** Admission webhooks: matching, calling and applying their responses. */
@NullMarked
package dev.muster.admission.webhook;

import org.jspecify.annotations.NullMarked;
