/** Service IP ranges. */
@NullMarked
package dev.muster.controllers.services;

import org.jspecify.annotations.NullMarked;
