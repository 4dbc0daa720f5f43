/** Strategies of {@code resource.k8s.io}: device classes, slices and claims. */
@NullMarked
package dev.muster.validation.resource;

import org.jspecify.annotations.NullMarked;
