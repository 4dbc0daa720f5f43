/** Defaults and rules of {@code flowcontrol.apiserver.k8s.io}. */
@NullMarked
package dev.muster.registry.rules.flowcontrol;

import org.jspecify.annotations.NullMarked;
