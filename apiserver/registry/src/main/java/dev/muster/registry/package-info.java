/** One handler per verb, and the strategies of built-in resources. */
@NullMarked
package dev.muster.registry;

import org.jspecify.annotations.NullMarked;
