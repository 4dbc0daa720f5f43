/** What an operator can set about where audit events go. */
@NullMarked
package dev.muster.server.options.audit;

import org.jspecify.annotations.NullMarked;
