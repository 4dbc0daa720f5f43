/**
 * Built-in admission: each class is one plugin under upstream's name, {@link AdmissionChain} their
 * order.
 */
@NullMarked
package dev.muster.access.admission;

import org.jspecify.annotations.NullMarked;
