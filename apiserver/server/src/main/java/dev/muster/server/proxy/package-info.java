/** Connections to backends: kubelets, pods, Services and other API servers. */
@NullMarked
package dev.muster.server.proxy;

import org.jspecify.annotations.NullMarked;
