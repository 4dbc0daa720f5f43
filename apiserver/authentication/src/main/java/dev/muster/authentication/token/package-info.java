/** Tokens of service accounts: signed here, verified here, dead with what they are bound to. */
@NullMarked
package dev.muster.authentication.token;

import org.jspecify.annotations.NullMarked;
