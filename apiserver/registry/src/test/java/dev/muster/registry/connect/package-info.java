@NullMarked
package dev.muster.registry.connect;

import org.jspecify.annotations.NullMarked;
