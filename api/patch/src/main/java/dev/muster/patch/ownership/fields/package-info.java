/** Sets of fields as managedFields keep them. */
@NullMarked
package dev.muster.patch.ownership.fields;

import org.jspecify.annotations.NullMarked;
