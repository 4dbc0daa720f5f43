/** The identity Leases of API servers. */
@NullMarked
package dev.muster.model.identity;

import org.jspecify.annotations.NullMarked;
