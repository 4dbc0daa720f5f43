/**
 * Built-in plugins that change or check pods and what pods are made of: limits, priorities,
 * tolerations, service accounts, resizes.
 */
@NullMarked
package dev.muster.admission.pods;

import org.jspecify.annotations.NullMarked;
