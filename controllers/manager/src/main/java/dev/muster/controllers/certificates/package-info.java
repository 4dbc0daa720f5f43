/** Requests for certificates: approved, signed, cleared away. */
@NullMarked
package dev.muster.controllers.certificates;

import org.jspecify.annotations.NullMarked;
