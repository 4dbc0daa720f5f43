/** What the expressions of admission policies and webhooks see. */
@NullMarked
package dev.muster.cel.admission;

import org.jspecify.annotations.NullMarked;
