/** What the identity Lease of an API server says, for all that read one. */
@NullMarked
package dev.muster.model.identity;

import org.jspecify.annotations.NullMarked;
