/** Service account tokens in Secrets. */
@NullMarked
package dev.muster.controllers.tokens;

import org.jspecify.annotations.NullMarked;
