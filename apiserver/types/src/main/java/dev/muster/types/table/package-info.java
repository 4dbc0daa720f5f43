/** Resources as tables: the columns of each, their cells, and the Table object. */
@NullMarked
package dev.muster.types.table;

import org.jspecify.annotations.NullMarked;
