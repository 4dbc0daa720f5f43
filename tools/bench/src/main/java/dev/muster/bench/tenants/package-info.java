/** What many small tenants cost. */
@NullMarked
package dev.muster.bench.tenants;

import org.jspecify.annotations.NullMarked;
