/** Admission policies: expressions of the cluster's users that refuse or change writes. */
@NullMarked
package dev.muster.admission.policy;

import org.jspecify.annotations.NullMarked;
