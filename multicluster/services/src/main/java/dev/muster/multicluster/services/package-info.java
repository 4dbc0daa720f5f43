/** Multi-cluster services: what members export to their hub and import from it. */
@NullMarked
package dev.muster.multicluster.services;

import org.jspecify.annotations.NullMarked;
