/** The status of ValidatingAdmissionPolicies: what their expressions get wrong about types. */
@NullMarked
package dev.muster.controllers.policies;

import org.jspecify.annotations.NullMarked;
