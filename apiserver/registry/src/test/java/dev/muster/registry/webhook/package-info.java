@NullMarked
package dev.muster.registry.webhook;

import org.jspecify.annotations.NullMarked;
