/** Which fields of a resource a field selector can ask for, and their values. */
@NullMarked
package dev.muster.types.select;

import org.jspecify.annotations.NullMarked;
