/** Annotations that turn record components into flags, and checks of their values. */
@NullMarked
package dev.muster.server.options.flag;

import org.jspecify.annotations.NullMarked;
