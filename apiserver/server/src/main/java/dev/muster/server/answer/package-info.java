/** Encodes objects as the bytes of responses. */
@NullMarked
package dev.muster.server.answer;

import org.jspecify.annotations.NullMarked;
