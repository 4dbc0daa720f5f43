/** Pods that nobody else deletes. */
@NullMarked
package dev.muster.controllers.pods;

import org.jspecify.annotations.NullMarked;
