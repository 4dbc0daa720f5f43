/** The authorization mode {@code Node}, for kubelets. */
@NullMarked
package dev.muster.authorization.node;

import org.jspecify.annotations.NullMarked;
