@NullMarked
package dev.muster.types.conversion;

import org.jspecify.annotations.NullMarked;
