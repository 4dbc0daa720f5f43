/** A request once it is routed and allowed. */
@NullMarked
package dev.muster.registry.request;

import org.jspecify.annotations.NullMarked;
