/** PodDisruptionBudgets. */
@NullMarked
package dev.muster.controllers.disruption;

import org.jspecify.annotations.NullMarked;
