/** What stands between a decoded request and its commit: who asks, and who may object. */
@NullMarked
package dev.muster.registry.admission;

import org.jspecify.annotations.NullMarked;
