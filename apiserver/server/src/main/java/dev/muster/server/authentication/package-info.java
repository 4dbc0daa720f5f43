/** Issuers of tokens: how they are configured and reached, and what is counted of them. */
@NullMarked
package dev.muster.server.authentication;

import org.jspecify.annotations.NullMarked;
