/** Validates the containers of a pod. */
@NullMarked
package dev.muster.validation.pods.containers;

import org.jspecify.annotations.NullMarked;
