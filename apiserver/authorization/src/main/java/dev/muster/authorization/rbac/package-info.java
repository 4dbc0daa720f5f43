/** Role-based access control over the objects of {@code rbac.authorization.k8s.io}. */
@NullMarked
package dev.muster.authorization.rbac;

import org.jspecify.annotations.NullMarked;
