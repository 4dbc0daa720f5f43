/** The plugin ImagePolicyWebhook: somebody else decides which images may run. */
@NullMarked
package dev.muster.admission.images;

import org.jspecify.annotations.NullMarked;
