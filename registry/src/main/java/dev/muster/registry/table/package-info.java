/** Resources as tables: the columns of each, their cells, and the Table object. */
@NullMarked
package dev.muster.registry.table;

import org.jspecify.annotations.NullMarked;
