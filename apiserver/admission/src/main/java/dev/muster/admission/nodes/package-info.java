/** Built-in plugins about nodes: what a kubelet may write, and what new nodes begin with. */
@NullMarked
package dev.muster.admission.nodes;

import org.jspecify.annotations.NullMarked;
