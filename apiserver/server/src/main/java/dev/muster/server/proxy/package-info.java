/** Connections to what runs on nodes: kubelets, pods and what is behind services. */
@NullMarked
package dev.muster.server.proxy;

import org.jspecify.annotations.NullMarked;
