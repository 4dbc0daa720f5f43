/** Renders resources as tables: columns, cells and the Table object. */
@NullMarked
package dev.muster.types.table;

import org.jspecify.annotations.NullMarked;
