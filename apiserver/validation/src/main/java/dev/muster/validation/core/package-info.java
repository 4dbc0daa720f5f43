/** Strategies of the core group, one file for each kind. */
@NullMarked
package dev.muster.validation.core;

import org.jspecify.annotations.NullMarked;
