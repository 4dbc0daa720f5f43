/** The plugin ImagePolicyWebhook, which lets a webhook decide which images may run. */
@NullMarked
package dev.muster.admission.images;

import org.jspecify.annotations.NullMarked;
