/** ValidatingAdmissionPolicies and MutatingAdmissionPolicies. */
@NullMarked
package dev.muster.admission.policy;

import org.jspecify.annotations.NullMarked;
