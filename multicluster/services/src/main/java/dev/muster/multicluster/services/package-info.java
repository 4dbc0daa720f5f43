/** Multi-cluster services: exports to the hub and imports from it. */
@NullMarked
package dev.muster.multicluster.services;

import org.jspecify.annotations.NullMarked;
