@NullMarked
package dev.muster.registry;

import org.jspecify.annotations.NullMarked;
