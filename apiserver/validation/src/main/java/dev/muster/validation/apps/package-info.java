/** Rules of what makes pods from templates, and of what looks after those. */
@NullMarked
package dev.muster.validation.apps;

import org.jspecify.annotations.NullMarked;
