/** Objects turned into the bytes that a client asked for. */
@NullMarked
package dev.muster.server.answer;

import org.jspecify.annotations.NullMarked;
