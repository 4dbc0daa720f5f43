/** Counting of resource quotas. */
@NullMarked
package dev.muster.controllers.quota;

import org.jspecify.annotations.NullMarked;
