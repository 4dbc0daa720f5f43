/** What the well-known cluster properties may hold, and who may change them when. */
@NullMarked
package dev.muster.multicluster.rules;

import org.jspecify.annotations.NullMarked;
