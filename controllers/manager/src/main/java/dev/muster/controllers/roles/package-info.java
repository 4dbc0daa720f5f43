/** Roles that are made of other roles. */
@NullMarked
package dev.muster.controllers.roles;

import org.jspecify.annotations.NullMarked;
