/** Options of the audit backends. */
@NullMarked
package dev.muster.server.options.audit;

import org.jspecify.annotations.NullMarked;
