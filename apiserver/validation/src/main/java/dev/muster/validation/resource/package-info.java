/** Defaults and rules of {@code resource.k8s.io}: devices, and the claims to them. */
@NullMarked
package dev.muster.validation.resource;

import org.jspecify.annotations.NullMarked;
