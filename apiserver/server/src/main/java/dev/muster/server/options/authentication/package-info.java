/** Options of single authentication methods. */
@NullMarked
package dev.muster.server.options.authentication;

import org.jspecify.annotations.NullMarked;
