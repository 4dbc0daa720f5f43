/** Built-in plugins about the namespace that a request is made in. */
@NullMarked
package dev.muster.admission.namespaces;

import org.jspecify.annotations.NullMarked;
