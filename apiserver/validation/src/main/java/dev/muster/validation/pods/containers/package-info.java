/** Rules of the containers of a pod: what they run, see, need and may do. */
@NullMarked
package dev.muster.validation.pods.containers;

import org.jspecify.annotations.NullMarked;
