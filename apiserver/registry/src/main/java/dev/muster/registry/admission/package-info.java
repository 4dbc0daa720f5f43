/** The admission interfaces between a decoded request and its commit. */
@NullMarked
package dev.muster.registry.admission;

import org.jspecify.annotations.NullMarked;
