/** Strategies of {@code flowcontrol.apiserver.k8s.io}. */
@NullMarked
package dev.muster.validation.flowcontrol;

import org.jspecify.annotations.NullMarked;
