/** The rules of {@code networking.k8s.io}, those about the addresses of services aside. */
@NullMarked
package dev.muster.validation.networking;

import org.jspecify.annotations.NullMarked;
