/** The strategies of {@code rbac.authorization.k8s.io}. */
@NullMarked
package dev.muster.validation.rbac;

import org.jspecify.annotations.NullMarked;
