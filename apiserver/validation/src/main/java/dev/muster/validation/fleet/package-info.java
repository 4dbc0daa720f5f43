/** The rules of Muster's own kinds. */
@NullMarked
package dev.muster.validation.fleet;

import org.jspecify.annotations.NullMarked;
