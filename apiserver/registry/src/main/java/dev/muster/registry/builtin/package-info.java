/** The built-in types, one file for each API group. */
@NullMarked
package dev.muster.registry.builtin;

import org.jspecify.annotations.NullMarked;
