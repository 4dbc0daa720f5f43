/** Bootstrap tokens, with which new nodes join. */
@NullMarked
package dev.muster.controllers.bootstrap;

import org.jspecify.annotations.NullMarked;
