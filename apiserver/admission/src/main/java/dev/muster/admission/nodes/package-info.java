/** Built-in plugins about nodes: limits for kubelets, and the initial taint of nodes. */
@NullMarked
package dev.muster.admission.nodes;

import org.jspecify.annotations.NullMarked;
