/** Built-in plugins about the namespace of a request. */
@NullMarked
package dev.muster.admission.namespaces;

import org.jspecify.annotations.NullMarked;
