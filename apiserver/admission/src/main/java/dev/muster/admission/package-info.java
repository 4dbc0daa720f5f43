/**
 * The admission chain: {@link AdmissionPlugin} lists kube-apiserver's plugins in order, {@link
 * AdmissionChain} runs them. The plugins are in subpackages by topic: {@code pods}, {@code nodes},
 * {@code namespaces}, {@code objects}, {@code permissions}, {@code quota}, {@code podsecurity},
 * {@code policy}, {@code webhook}, {@code images}.
 */
@NullMarked
package dev.muster.admission;

import org.jspecify.annotations.NullMarked;
