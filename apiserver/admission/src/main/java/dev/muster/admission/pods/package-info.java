/** Built-in plugins about pods: limits, priorities, tolerations, service accounts, resizes. */
@NullMarked
package dev.muster.admission.pods;

import org.jspecify.annotations.NullMarked;
