/** Rules of Services, of their endpoints and of their addresses. */
@NullMarked
package dev.muster.registry.rules.services;

import org.jspecify.annotations.NullMarked;
