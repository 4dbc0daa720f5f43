/** Strategies of {@code admissionregistration.k8s.io}: webhooks and admission policies. */
@NullMarked
package dev.muster.validation.admission;

import org.jspecify.annotations.NullMarked;
