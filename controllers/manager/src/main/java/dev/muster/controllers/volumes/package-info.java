/** Protection finalizers of volumes and claims in use. */
@NullMarked
package dev.muster.controllers.volumes;

import org.jspecify.annotations.NullMarked;
