/** Matching of requests to policies and webhooks, and evaluation of their CEL expressions. */
@NullMarked
package dev.muster.admission.matching;

import org.jspecify.annotations.NullMarked;
