/** The controller manager: the list of controllers, their settings and their start. */
@NullMarked
package dev.muster.controllers.manager;

import org.jspecify.annotations.NullMarked;
