/** What lies in the store, whoever wrote it, and how it becomes what is served. */
@NullMarked
package dev.muster.registry.stored;

import org.jspecify.annotations.NullMarked;
