/** The rules of {@code certificates.k8s.io}. */
@NullMarked
package dev.muster.registry.rules.certificates;

import org.jspecify.annotations.NullMarked;
