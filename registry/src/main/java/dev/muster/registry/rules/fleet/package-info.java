/** The rules of Muster's own kinds. */
@NullMarked
package dev.muster.registry.rules.fleet;

import org.jspecify.annotations.NullMarked;
