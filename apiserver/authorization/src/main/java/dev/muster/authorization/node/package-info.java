/** The authorization mode {@code Node}: what kubelets may do. */
@NullMarked
package dev.muster.authorization.node;

import org.jspecify.annotations.NullMarked;
