/** RBAC: authorization by the objects of {@code rbac.authorization.k8s.io}. */
@NullMarked
package dev.muster.authorization.rbac;

import org.jspecify.annotations.NullMarked;
