/** Tokens that nobody needs any more. */
@NullMarked
package dev.muster.controllers.tokens;

import org.jspecify.annotations.NullMarked;
