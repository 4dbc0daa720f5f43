/**
 * How a write comes about: attempts on a snapshot, their commit, and what happens when somebody
 * else was faster.
 */
@NullMarked
package dev.muster.registry.commit;

import org.jspecify.annotations.NullMarked;
