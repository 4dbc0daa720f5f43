/** Plugins that check further permissions which the content of an object needs. */
@NullMarked
package dev.muster.admission.permissions;

import org.jspecify.annotations.NullMarked;
