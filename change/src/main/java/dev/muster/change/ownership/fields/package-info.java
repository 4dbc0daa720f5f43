/** Sets of fields as managedFields keep them. */
@NullMarked
package dev.muster.change.ownership.fields;

import org.jspecify.annotations.NullMarked;
