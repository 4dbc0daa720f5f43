/**
 * What the server asks of programs elsewhere: where a webhook is, what it is sent and what its
 * answer means. How the bytes get there is the server's.
 */
@NullMarked
package dev.muster.registry.webhook;

import org.jspecify.annotations.NullMarked;
