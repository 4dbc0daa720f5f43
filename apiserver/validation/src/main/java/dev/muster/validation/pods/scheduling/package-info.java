/** Rules about scheduling: affinity, tolerations, priority and runtime classes. */
@NullMarked
package dev.muster.validation.pods.scheduling;

import org.jspecify.annotations.NullMarked;
