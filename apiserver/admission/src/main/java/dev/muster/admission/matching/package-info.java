/** Which requests policies and webhooks are about, and what their expressions see of one. */
@NullMarked
package dev.muster.admission.matching;

import org.jspecify.annotations.NullMarked;
