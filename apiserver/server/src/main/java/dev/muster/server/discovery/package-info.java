/** What a client learns about the API before it uses it. */
@NullMarked
package dev.muster.server.discovery;

import org.jspecify.annotations.NullMarked;
