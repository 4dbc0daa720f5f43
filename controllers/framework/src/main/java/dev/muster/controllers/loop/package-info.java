/**
 * What controllers are made of: objects that are followed and cached, and queues of keys that are
 * worked on.
 */
@NullMarked
package dev.muster.controllers.loop;

import org.jspecify.annotations.NullMarked;
