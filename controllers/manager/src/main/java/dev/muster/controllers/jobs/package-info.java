/** Cleanup of finished Jobs. */
@NullMarked
package dev.muster.controllers.jobs;

import org.jspecify.annotations.NullMarked;
