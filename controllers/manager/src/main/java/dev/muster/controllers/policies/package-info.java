/** Type checking of ValidatingAdmissionPolicies. */
@NullMarked
package dev.muster.controllers.policies;

import org.jspecify.annotations.NullMarked;
