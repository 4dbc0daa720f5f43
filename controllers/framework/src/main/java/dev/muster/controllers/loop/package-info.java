/** The framework of controllers: reflectors, caches and work queues. */
@NullMarked
package dev.muster.controllers.loop;

import org.jspecify.annotations.NullMarked;
