/** The authorization mode {@code ABAC}: a file of policies. */
@NullMarked
package dev.muster.authorization.abac;

import org.jspecify.annotations.NullMarked;
