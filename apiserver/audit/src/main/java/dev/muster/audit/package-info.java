/** Audit policy, audit events and their encodings. This package does no input or output. */
@NullMarked
package dev.muster.audit;

import org.jspecify.annotations.NullMarked;
