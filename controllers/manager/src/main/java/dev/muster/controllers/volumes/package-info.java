/** Volumes and claims stay while somebody uses them. */
@NullMarked
package dev.muster.controllers.volumes;

import org.jspecify.annotations.NullMarked;
