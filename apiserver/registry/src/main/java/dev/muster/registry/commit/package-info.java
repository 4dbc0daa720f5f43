/** Carries out writes: attempts on snapshots, their commits, and retries after conflicts. */
@NullMarked
package dev.muster.registry.commit;

import org.jspecify.annotations.NullMarked;
