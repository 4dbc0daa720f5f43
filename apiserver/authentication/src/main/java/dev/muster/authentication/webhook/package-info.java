/** Clients for servers that a kubeconfig names, and the token review webhook. */
@NullMarked
package dev.muster.authentication.webhook;

import org.jspecify.annotations.NullMarked;
