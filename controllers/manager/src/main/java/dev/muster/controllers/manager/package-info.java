/** Which controllers there are. */
@NullMarked
package dev.muster.controllers.manager;

import org.jspecify.annotations.NullMarked;
