/**
 * JWT authentication: the issuers of {@code --authentication-config} and the users of their tokens.
 */
@NullMarked
package dev.muster.authentication.jwt;

import org.jspecify.annotations.NullMarked;
