/**
 * Tokens that others sign: what {@code --authentication-config} says about issuers, and whose a
 * token of one of them is.
 */
@NullMarked
package dev.muster.authentication.jwt;

import org.jspecify.annotations.NullMarked;
