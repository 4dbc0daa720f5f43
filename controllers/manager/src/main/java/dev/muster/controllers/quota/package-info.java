/** Counts what namespaces take of their quotas. */
@NullMarked
package dev.muster.controllers.quota;

import org.jspecify.annotations.NullMarked;
