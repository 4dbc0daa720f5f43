/** Authentication of requests by certificate, token or trusted front proxy. */
@NullMarked
package dev.muster.authentication;

import org.jspecify.annotations.NullMarked;
