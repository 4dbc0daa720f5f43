/** Admission webhooks and policies from manifest files instead of API objects (KEP-5793). */
@NullMarked
package dev.muster.admission.manifest;

import org.jspecify.annotations.NullMarked;
