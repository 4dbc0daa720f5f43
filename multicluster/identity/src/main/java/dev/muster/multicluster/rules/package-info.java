/** Rules for the well-known cluster properties: valid values and permitted changes. */
@NullMarked
package dev.muster.multicluster.rules;

import org.jspecify.annotations.NullMarked;
