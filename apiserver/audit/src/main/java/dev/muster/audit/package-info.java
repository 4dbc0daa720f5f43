/**
 * What the audit log says about requests: the policy that decides how much, the event itself, and
 * its forms in bytes. Nothing here does input or output.
 */
@NullMarked
package dev.muster.audit;

import org.jspecify.annotations.NullMarked;
