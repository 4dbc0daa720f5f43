/** Aggregated ClusterRoles. */
@NullMarked
package dev.muster.controllers.roles;

import org.jspecify.annotations.NullMarked;
