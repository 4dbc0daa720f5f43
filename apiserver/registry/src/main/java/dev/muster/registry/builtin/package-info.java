/** The types that this build brings with it, one file for each API group. */
@NullMarked
package dev.muster.registry.builtin;

import org.jspecify.annotations.NullMarked;
