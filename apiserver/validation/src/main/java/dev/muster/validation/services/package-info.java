/** Rules of Services, of their endpoints and of their addresses. */
@NullMarked
package dev.muster.validation.services;

import org.jspecify.annotations.NullMarked;
