/** Custom resources: their values as expressions see them, and the rules that these keep. */
@NullMarked
package dev.muster.registry.custom;

import org.jspecify.annotations.NullMarked;
