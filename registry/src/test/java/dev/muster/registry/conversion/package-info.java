@NullMarked
package dev.muster.registry.conversion;

import org.jspecify.annotations.NullMarked;
