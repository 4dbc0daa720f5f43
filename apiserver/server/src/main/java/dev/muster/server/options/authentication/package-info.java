/** What an operator can set about single ways of authentication. */
@NullMarked
package dev.muster.server.options.authentication;

import org.jspecify.annotations.NullMarked;
