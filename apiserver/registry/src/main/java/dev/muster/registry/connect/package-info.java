/** Where the traffic of connecting subresources goes: to kubelets, pods and services. */
@NullMarked
package dev.muster.registry.connect;

import org.jspecify.annotations.NullMarked;
