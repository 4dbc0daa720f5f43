/** Strategies of {@code networking.k8s.io}, except IPAddress and ServiceCIDR. */
@NullMarked
package dev.muster.validation.networking;

import org.jspecify.annotations.NullMarked;
