/** The plugin ResourceQuota. */
@NullMarked
package dev.muster.admission.quota;

import org.jspecify.annotations.NullMarked;
