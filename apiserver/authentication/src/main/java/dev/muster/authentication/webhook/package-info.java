/** Servers elsewhere that the operator has named in a kubeconfig, and what they say of tokens. */
@NullMarked
package dev.muster.authentication.webhook;

import org.jspecify.annotations.NullMarked;
