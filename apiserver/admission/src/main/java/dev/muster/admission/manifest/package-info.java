/** Webhooks and policies that files say, and not the API (KEP-5793). */
@NullMarked
package dev.muster.admission.manifest;

import org.jspecify.annotations.NullMarked;
