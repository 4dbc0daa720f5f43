/** Libraries that are known to be bad. */
@NullMarked
package dev.muster.it.advisories;

import org.jspecify.annotations.NullMarked;
