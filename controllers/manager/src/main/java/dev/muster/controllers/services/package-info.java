/** Ranges of addresses for Services. */
@NullMarked
package dev.muster.controllers.services;

import org.jspecify.annotations.NullMarked;
