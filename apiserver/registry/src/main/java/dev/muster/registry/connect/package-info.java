/** Finds the destinations of connecting subresources: kubelets, pods and services. */
@NullMarked
package dev.muster.registry.connect;

import org.jspecify.annotations.NullMarked;
