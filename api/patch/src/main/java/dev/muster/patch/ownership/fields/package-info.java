/** Field sets in the form of managedFields. */
@NullMarked
package dev.muster.patch.ownership.fields;

import org.jspecify.annotations.NullMarked;
