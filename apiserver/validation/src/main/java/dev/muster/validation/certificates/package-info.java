/** The strategies of {@code certificates.k8s.io}. */
@NullMarked
package dev.muster.validation.certificates;

import org.jspecify.annotations.NullMarked;
