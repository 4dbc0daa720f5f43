/** The store interface, its transactions and results, and the store in memory. */
@NullMarked
package dev.muster.store;

import org.jspecify.annotations.NullMarked;
