/**
 * Service account tokens: signing, verification and invalidation with the objects they are bound
 * to.
 */
@NullMarked
package dev.muster.authentication.token;

import org.jspecify.annotations.NullMarked;
