/** What a client sees of a server that runs in this process: answers, texts, and no surprises. */
@NullMarked
package dev.muster.server.answers;

import org.jspecify.annotations.NullMarked;
