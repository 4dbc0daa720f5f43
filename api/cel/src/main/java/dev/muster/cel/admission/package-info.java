/** Checks the expressions of admission policies and webhooks. */
@NullMarked
package dev.muster.cel.admission;

import org.jspecify.annotations.NullMarked;
